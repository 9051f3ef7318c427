/** The newest version of the CLI that `go install` can build; the download asks for the same one. */
export const TEMPORAL_CLI_VERSION = '1.5.1'

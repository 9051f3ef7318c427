/** Longer than a drain takes. */
const END_WITHIN_MS = 15_000

/**
 * Loaded into a child before its own code: a parent killed while the child still starts would otherwise go unnoticed,
 * for the child listens to the channel only once it is up. One that drains by itself has ended before this does.
 */
process.once('disconnect', () => {
  setTimeout(() => process.exit(1), END_WITHIN_MS).unref()
})

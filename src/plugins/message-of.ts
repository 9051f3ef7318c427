/** Errors of the system are not of our realm under test, so that `instanceof Error` says nothing about them. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  return typeof error.message === 'string' ? error.message : 'unknown error'
}

/** With the reason behind it: of a failed `fetch` the message alone says nothing. */
export function messageWithCause(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)} (${messageOf(cause)})`
}

/** Errors of the system are not of our realm under test, so that `instanceof Error` says nothing about them. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  return typeof error.message === 'string' ? error.message : 'unknown error'
}

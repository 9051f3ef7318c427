/** Whether an error came from the system with this code. Asks for the shape: tests run in another realm's `Error`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}

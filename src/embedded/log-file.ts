import fs from 'node:fs'

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024

/** Opens a service's log for appending; a large one is put aside first, one generation is kept. */
export function openLogFile(file: string): number {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > ROTATE_ABOVE_BYTES) fs.renameSync(file, `${file}.1`)
  return fs.openSync(file, 'a', 0o600)
}

/** The last lines of a log, for the message that says why a service did not start. */
export function tailLogFile(file: string, lines = 15): string {
  if (!fs.existsSync(file)) return ''
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
}

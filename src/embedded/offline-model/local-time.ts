/** An ISO time with its offset as a person reads it; the seconds only where they say something. */
export function localTime(iso: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d))?/.exec(iso)
  if (!parts) return iso
  const [, day, clock, seconds] = parts
  return `${day} ${clock}${seconds === undefined || seconds === '00' ? '' : `:${seconds}`}`
}

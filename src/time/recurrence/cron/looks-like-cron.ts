export function normalizeCron(written: string): string {
  return written.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Whether someone meant cron, well or badly; everything else is tried as words. */
export function looksLikeCron(written: string): boolean {
  const plain = normalizeCron(written)
  if (plain.startsWith('@') || plain.includes('*')) return true
  const fields = plain.split(' ')
  return fields.length >= 5 && fields.slice(0, 2).every((field) => /^\d[\d,/-]*$/.test(field))
}

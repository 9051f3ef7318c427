const DIGITS = '零一二三四五六七八九十'

/** A number up to 99 in digits or Chinese numerals. */
export function toNumber(text: string): number {
  if (/^[0-9]+$/.test(text)) return Number(text)
  const plain = text.replaceAll('两', '二').replaceAll('〇', '零')
  const [tens, ones] = plain.includes('十') ? plain.split('十') : ['', plain]
  const ten = plain.includes('十') ? (tens === '' ? 1 : DIGITS.indexOf(tens ?? '')) * 10 : 0
  return ten + (ones === '' ? 0 : DIGITS.indexOf(ones ?? ''))
}

/** HH:mm of an hour that was said with a part of the day, or without; small hours alone are in the afternoon. */
export function toClock(hour: number, minute: number, part: 'am' | 'pm' | 'night' | undefined): string {
  const said = part ?? (hour >= 1 && hour <= 6 ? 'pm' : 'am')
  const isLate = said === 'night' && hour === 12
  const full = isLate ? 24 : said !== 'am' && hour < 12 ? hour + 12 : hour
  return `${String(full).padStart(2, '0')}:${String(isLate ? 0 : minute).padStart(2, '0')}`
}

/** "下午4点到5点": the second hour lies after the first, in its half of the day if that can be. */
export function afterStart(start: string, hour: number, minute: number): string {
  const early = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  if (hour > 12 || early > start) return early
  return toClock(hour, minute, 'pm')
}

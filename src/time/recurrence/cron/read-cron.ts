import { normalizeCron } from './looks-like-cron'
import type { CronField, FieldName } from './fields'
import { FIELD_NAMES, readField } from './fields'

export type CronFault = 'fields' | 'macro' | 'extension' | FieldName
export type CronReading = { ok: true; expressions: string[] } | { ok: false; fault: CronFault }

const MACROS = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/**
 * Five-field cron. Where both day fields are restricted classic cron runs when either fits; Temporal wants both, so
 * the two are said as two expressions.
 */
export function readCron(written: string): CronReading {
  const plain = normalizeCron(written)
  if (plain.startsWith('@') && !MACROS.has(plain)) return { ok: false, fault: 'macro' }
  const texts = (MACROS.get(plain) ?? plain).split(' ')
  if (texts.length !== 5) return { ok: false, fault: 'fields' }
  if (texts.some((text) => /[?#]|\d[lw]|^l/.test(text))) return { ok: false, fault: 'extension' }
  const fields: CronField[] = []
  for (const [index, name] of FIELD_NAMES.entries()) {
    const field = readField(texts[index] ?? '', name)
    if (!field) return { ok: false, fault: name }
    fields.push(field)
  }
  return { ok: true, expressions: expressionsOf(fields) }
}

function expressionsOf(fields: CronField[]): string[] {
  const [minute, hour, day, month, weekday] = fields.map(({ text }) => text)
  const either = fields[2]?.starred === false && fields[4]?.starred === false
  if (!either) return [`${minute} ${hour} ${day} ${month} ${weekday}`]
  return [`${minute} ${hour} ${day} ${month} *`, `${minute} ${hour} * ${month} ${weekday}`]
}

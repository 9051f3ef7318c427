import type { FieldName } from './fields'
import { FIELD_NAMES, readField } from './fields'

export type CompiledCron = Record<FieldName, ReadonlySet<number>>

/** Only for expressions that `readCron` or the phrases have made. */
export function compileCron(expression: string): CompiledCron {
  const texts = expression.split(' ')
  const entries = FIELD_NAMES.map((name, index): [FieldName, ReadonlySet<number>] => {
    const field = readField(texts[index] ?? '', name)
    if (!field) throw new Error(`not a cron expression of ours: field ${name}`)
    return [name, field.values]
  })
  return Object.fromEntries(entries) as CompiledCron
}

export const runsEveryHour = (cron: CompiledCron): boolean => cron.hour.size === 24

import { Ajv } from 'ajv'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020'
import type { JsonObject } from '../contracts/words'
import { omitSchedule, removeSchedule } from './schedule-schema'

/** Either the arguments a handler gets (defaults filled in, without `schedule`), or what is wrong with them. */
export type CheckedInput = { args: JsonObject } | { fault: string }
export type InputCheck = (args: JsonObject) => CheckedInput

/** Formats are words of their authors that nobody here can check; unknown keywords are theirs too. */
const OPTIONS = { strict: false, validateFormats: false, useDefaults: true, allErrors: false, logger: false } as const

/** Throws when the schema itself is wrong. */
export function createInputCheck(inputSchema: JsonObject): InputCheck {
  const { $schema: dialect, $id: _id, ...schema } = removeSchedule(inputSchema)
  const isNew = typeof dialect === 'string' && /20(19-09|20-12)/.test(dialect)
  // One compiler a schema: two tools may use the same $id inside.
  const validate = (isNew ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS)).compile(schema)
  return (given) => {
    const args = structuredClone(omitSchedule(given))
    return validate(args) ? { args } : { fault: describe(validate.errors) }
  }
}

/** What Ajv found, in one line that a model or a person can act on. */
export function describe(errors: ErrorObject[] | null | undefined): string {
  const [first] = errors ?? []
  if (first === undefined) return 'it does not fit'
  const place = first.instancePath.replace(/^\//, '').replaceAll('/', '.')
  const extra: unknown = first.params['additionalProperty'] ?? first.params['allowedValues']
  const detail = extra === undefined ? '' : `: ${JSON.stringify(extra)}`
  return `${place === '' ? '' : `${place} `}${first.message ?? 'does not fit'}${detail}`
}

import { Ajv } from 'ajv'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020'
import type { JsonObject } from '../../contracts/words'
import { describeMisfit } from '../../engine/describe-misfit'
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

/** What Ajv found first, in one line. */
export function describe(errors: ErrorObject[] | null | undefined): string {
  const [first] = errors ?? []
  return first === undefined ? 'it does not fit' : describeMisfit(first)
}

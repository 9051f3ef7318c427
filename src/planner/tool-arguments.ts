import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { parse } from 'secure-json-parse'
import type { Tool, ToolDefinition } from '../contracts/tool'
import type { JsonObject, JsonValue } from '../contracts/words'
import { isObject } from '../contracts/words'
import { describeMisfit } from '../engine/describe-misfit'
import { storableText } from '../engine/storable'
import { messageOf } from '../errors'

const MAX_ARGUMENTS_LENGTH = 64_000

export type ParsedArguments = { ok: true; value: JsonObject } | { ok: false; hint: string }

/** The model's raw text to an object. The parser refuses `__proto__` and its kin; no text at all means no arguments. */
export function parseArguments(text: string): ParsedArguments {
  if (text.length > MAX_ARGUMENTS_LENGTH) return refusal(`longer than ${MAX_ARGUMENTS_LENGTH} characters`)
  try {
    const value = cleanJson(parse(text.trim() === '' ? '{}' : text) as JsonValue)
    if (value === undefined) return refusal('nested too deeply')
    if (!isObject(value)) return refusal('not a JSON object')
    return { ok: true, value }
  } catch (error) {
    return refusal(messageOf(error))
  }
}

/** Why the arguments do not fit the tool, in words a model can act on; undefined when they fit. */
export function findMisfit(tool: ToolDefinition & Pick<Tool, 'accepts'>, value: JsonObject): string | undefined {
  const validate = validatorOf(tool.accepts ?? tool.parameters)
  if (validate(value)) return undefined
  const misfits = (validate.errors ?? []).map((error) => describeMisfit(error, 'arguments'))
  return `The arguments do not fit ${tool.name}: ${misfits.join('; ')}.`
}

const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, addUsedSchema: false })
const validators = new WeakMap<object, ValidateFunction>()

function validatorOf(parameters: object): ValidateFunction {
  const known = validators.get(parameters)
  if (known) return known
  // Tools of other servers name drafts that Ajv would look up; the keywords we meet mean the same in all of them.
  const validate = ajv.compile({ ...parameters, $schema: undefined })
  validators.set(parameters, validate)
  return validate
}

/** Undefined when it is nested deeper than anything a tool takes. */
function cleanJson(value: JsonValue, depthLeft = 32): JsonValue | undefined {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depthLeft === 0) return undefined
  if (Array.isArray(value)) return cleanAll(value, depthLeft)
  const keys = Object.keys(value)
  const items = cleanAll(Object.values(value), depthLeft)
  return items && Object.fromEntries(keys.map((key, at) => [storableText(key), items[at] ?? null]))
}

function cleanAll(values: JsonValue[], depthLeft: number): JsonValue[] | undefined {
  const cleaned: JsonValue[] = []
  for (const value of values) {
    const item = cleanJson(value, depthLeft - 1)
    if (item === undefined) return undefined
    cleaned.push(item)
  }
  return cleaned
}

const refusal = (why: string): ParsedArguments => ({
  ok: false,
  hint: `The arguments could not be read: ${why}. Send one JSON object.`,
})

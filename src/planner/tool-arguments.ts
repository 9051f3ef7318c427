import { Ajv } from 'ajv'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { parse } from 'secure-json-parse'
import type { Tool, ToolDefinition } from '../contracts/tool'
import type { JsonObject, JsonValue } from '../contracts/words'
import { cleanJson } from './clean-text'

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
    return refusal(error instanceof Error ? error.message : 'not JSON')
  }
}

/** Why the arguments do not fit the tool, in words a model can act on; undefined when they fit. */
export function findMisfit(tool: ToolDefinition & Pick<Tool, 'accepts'>, value: JsonObject): string | undefined {
  const validate = validatorOf(tool.accepts ?? tool.parameters)
  if (validate(value)) return undefined
  return `The arguments do not fit ${tool.name}: ${(validate.errors ?? []).map(describe).join('; ')}.`
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

function describe({ instancePath, message, params }: ErrorObject): string {
  const where = instancePath === '' ? 'arguments' : instancePath.slice(1).replaceAll('/', '.')
  const extra = 'additionalProperty' in params ? ` (${String(params['additionalProperty'])})` : ''
  const allowed = 'allowedValues' in params ? ` (${JSON.stringify(params['allowedValues'])})` : ''
  return `${where} ${message ?? 'is wrong'}${extra}${allowed}`
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const refusal = (why: string): ParsedArguments => ({
  ok: false,
  hint: `The arguments could not be read: ${why}. Send one JSON object.`,
})

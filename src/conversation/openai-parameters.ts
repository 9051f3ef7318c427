import { isObject } from '../contracts/words'
import { AppError } from '../errors'
import type { ModelSettings } from '../planner/model'

type Body = Readonly<Record<string, unknown>>

/** What is asked with these means what it always means here; anything else of them cannot be kept. */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  tools: (value) => Array.isArray(value) && value.length === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  tool_choice: (value) => value === 'none' || value === 'auto',
  function_call: (value) => value === 'none' || value === 'auto',
  response_format: (value) => isObject(value) && value['type'] === 'text',
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  modalities: (value) => Array.isArray(value) && value.every((item) => item === 'text'),
  audio: () => false,
  web_search_options: () => false,
}

/** Throws `unsupported_parameter` naming the first that would have been dropped silently. */
export function refuseUnsupported(body: Body): void {
  const name = Object.keys(HARMLESS).find((key) => (body[key] ?? null) !== null && !HARMLESS[key]!(body[key]))
  if (name === undefined) return
  const hint = 'Leave it out: the pipeline has its own tools and answers in text, once.'
  throw new AppError('unsupported_parameter', `"${name}" is not supported here`, {
    status: 400,
    hint,
    details: { param: name },
  })
}

/** What is handed on to the model as it is. */
export function readSettings(body: Body): ModelSettings {
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  const { temperature, top_p: topP, stop } = body
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { topP } : {}),
    ...(typeof limit === 'number' ? { maxTokens: limit } : {}),
    ...(typeof stop === 'string' ? { stop: [stop] } : {}),
    ...(Array.isArray(stop) ? { stop: stop.filter((item) => typeof item === 'string') } : {}),
  }
}

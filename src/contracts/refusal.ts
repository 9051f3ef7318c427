import type { JsonObject } from './words'

/** Why something was not done, where that was to be expected: `code` for programs, `hint` for whoever can act on it. */
export interface Refusal<Code extends string = string> {
  ok: false
  code: Code
  hint: string
  data?: JsonObject
}

export function refuse<Code extends string>(code: Code, hint: string, data?: JsonObject): Refusal<Code> {
  return { ok: false, code, hint, ...(data && { data }) }
}

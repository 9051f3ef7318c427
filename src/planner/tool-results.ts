import type { ToolResult } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'
import { cleanText } from './clean-text'

const MAX_RESULT_LENGTH = 16_000

/** What the model and the record see of a result; a tool's own fields never override what it means. */
export function toResultObject(result: ToolResult): JsonObject {
  const meaning: JsonObject = result.ok
    ? { success: true }
    : { success: false, reason: result.reason, hint: result.hint }
  return Object.assign({}, meaning, result.data, meaning)
}

export function failure(reason: string, hint: string, data: JsonObject = {}): ToolResult {
  return { ok: false, reason, hint, data }
}

/** The model reads the beginning of a very large result, and that it was cut. */
export function toResultText(result: JsonObject): string {
  const text = JSON.stringify(result)
  if (text.length <= MAX_RESULT_LENGTH) return text
  const kept = cleanText(text.slice(0, MAX_RESULT_LENGTH))
  return `${kept}… [cut here: ${text.length} characters in all; ask for less at once]`
}

import { effectsToJson } from '../contracts/effect'
import type { ToolResult } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'
import { storableText } from '../engine/storable'

const MAX_RESULT_LENGTH = 16_000

/** What the record keeps of a result; a tool's own fields never override what it means. */
export function toResultObject(result: ToolResult): JsonObject {
  return Object.assign({}, meaningOf(result), result.data, meaningOf(result))
}

function meaningOf(result: ToolResult): JsonObject {
  if (!result.ok) {
    const { code: reason, hint, question } = result
    return { success: false, reason, hint, ...(question ? { question: question.text } : {}) }
  }
  return { success: true, ...(result.effects?.length ? { effects: effectsToJson(result.effects) } : {}) }
}

/** The model reads the beginning of a very large result, and that it was cut. Effects say the same in other words. */
export function toResultText({ effects: _effects, ...result }: JsonObject): string {
  const text = JSON.stringify(result)
  if (text.length <= MAX_RESULT_LENGTH) return text
  const kept = storableText(text.slice(0, MAX_RESULT_LENGTH))
  return `${kept}… [cut here: ${text.length} characters in all; ask for less at once]`
}

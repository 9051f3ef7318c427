import type { HandlerContext } from '../handler-context'
import { MAX_RESULT_BYTES } from '../ipc'

const PREVIEW_CHARACTERS = 1_000

/** The result as JSON; a large one becomes a file, and its reference and beginning travel in its place. */
export async function encodeResult(data: unknown, context: Pick<HandlerContext, 'saveFile'>): Promise<string> {
  const json = toJson(data)
  if (Buffer.byteLength(json) <= MAX_RESULT_BYTES) return json
  const file = await context.saveFile('result.json', 'application/json', json)
  return JSON.stringify({ file, preview: previewOf(data, json) })
}

function toJson(data: unknown): string {
  try {
    return JSON.stringify(data ?? null) ?? 'null'
  } catch (error) {
    throw new Error('the handler returned something that is not JSON', { cause: error })
  }
}

function previewOf(data: unknown, json: string): string {
  return (typeof data === 'string' ? data : json).slice(0, PREVIEW_CHARACTERS)
}

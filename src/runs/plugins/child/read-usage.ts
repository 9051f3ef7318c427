import type { PluginUsage } from '../contract'

const BYTES_A_TOKEN = 4

/**
 * What a call of a handler to the model of the settings cost: as the server says, else counted from the length of the texts.
 * Undefined for a call that asked the model nothing.
 */
export async function readUsage(request: { body?: unknown }, response: Response): Promise<PluginUsage | undefined> {
  if (!response.ok || typeof request.body !== 'string') return undefined
  const asked = readJson(request.body)
  const text = await response.clone().text()
  const answer = readJson(text) ?? lastOfStream(text)
  if (asked === undefined) return undefined
  const model = textOf(answer?.['model']) ?? textOf(asked['model']) ?? 'unknown'
  const usage = objectOf(answer?.['usage'])
  if (usage === undefined) {
    // Pictures and sounds are long and cost nothing by their length.
    const said = answer?.['choices'] === undefined ? '' : text
    return {
      model,
      promptTokens: tokensOf(request.body),
      completionTokens: tokensOf(said),
      cachedTokens: 0,
      estimated: true,
    }
  }
  const details = objectOf(usage['prompt_tokens_details']) ?? objectOf(usage['input_tokens_details'])
  return {
    model,
    promptTokens: countOf(usage['prompt_tokens'] ?? usage['input_tokens']),
    completionTokens: countOf(usage['completion_tokens'] ?? usage['output_tokens']),
    cachedTokens: countOf(details?.['cached_tokens']),
    estimated: false,
  }
}

type Fields = Record<string, unknown>

/** The last piece of a stream says what it cost, if it was asked to. */
function lastOfStream(text: string): Fields | undefined {
  const pieces = text.split('\n').filter((line) => line.startsWith('data:'))
  const read = pieces.map((line) => readJson(line.slice(5))).filter((piece) => piece !== undefined)
  return read.findLast((piece) => objectOf(piece['usage']) !== undefined) ?? read.at(-1)
}

function readJson(text: string): Fields | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const objectOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const countOf = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0)
const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)

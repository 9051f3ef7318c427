import type { PluginCall, RunResult } from '../contract'
import type { JsonObject, JsonValue } from '../../../contracts/words'
import { encodeResult } from '../child/encode-result'
import { MAX_FILE_BYTES } from '../ipc'
import { safeName, safeType } from '../host/received-files'
import { storable } from '../../../engine/storable'
import { failed, succeeded } from '../run-results'
import type { McpAnswer } from './mcp-client'

type OnFile = PluginCall['onFile']

/**
 * What a server answered, as a result: its texts as one, what it says for machines, links, and files by reference.
 */
export async function mapAnswer(answer: McpAnswer, onFile: OnFile): Promise<RunResult> {
  const blocks = answer.content.map(readBlock)
  const text = blocks.flatMap((block) => block.text ?? []).join('\n')
  if (answer.isError === true) return failed(text)
  const files: JsonValue[] = []
  for (const { file } of blocks) if (file !== undefined) files.push(await saveFile(file, onFile))
  const links = blocks.flatMap((block) => block.link ?? [])
  const data: JsonObject = {
    ...(text === '' ? {} : { text }),
    ...(answer.structuredContent === undefined ? {} : { structured: storable(answer.structuredContent) }),
    ...(links.length === 0 ? {} : { links }),
    ...(files.length === 0 ? {} : { files }),
  }
  return succeeded(JSON.parse(await encodeResult(data, { saveFile: createSaveFile(onFile) })))
}

interface Block {
  text?: string
  link?: JsonValue
  file?: { name: string; contentType: string; base64: string }
}

function readBlock(value: unknown): Block {
  const block = asObject(value)
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return { text }
  if (type === 'resource_link') return { link: block }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return { file: toFile(type, mimeType, data) }
  return type === 'resource' ? readResource(asObject(block['resource'])) : {}
}

function readResource({ uri, text, blob, mimeType }: JsonObject): Block {
  if (typeof text === 'string') return { text }
  if (typeof blob !== 'string') return {}
  const name = typeof uri === 'string' ? uri.split(/[/?#]/).findLast((part) => part !== '') : undefined
  return { file: toFile(name ?? 'file', mimeType, blob) }
}

function toFile(name: string, mimeType: JsonValue | undefined, base64: string) {
  const contentType = safeType(typeof mimeType === 'string' ? mimeType : '')
  const [, ending] = /^(?:image|audio)\/([a-z0-9]{2,5})$/.exec(contentType) ?? []
  return { name: ending === undefined || name.includes('.') ? name : `${name}.${ending}`, contentType, base64 }
}

async function saveFile({ name, contentType, base64 }: NonNullable<Block['file']>, onFile: OnFile): Promise<JsonValue> {
  const content = Buffer.from(base64, 'base64')
  if (content.byteLength > MAX_FILE_BYTES)
    throw new Error(`a file of the server is larger than ${MAX_FILE_BYTES} bytes`)
  return onFile({ name: safeName(name), contentType, content })
}

function createSaveFile(onFile: OnFile) {
  return (name: string, contentType: string, bytes: Uint8Array | string) =>
    onFile({ name, contentType, content: Buffer.from(bytes) })
}

function asObject(value: unknown): JsonObject {
  const json = storable(value)
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}
}

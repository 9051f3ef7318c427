import { types } from 'node:util'
import type { PluginCall, PluginFile } from '../contract'
import { MAX_CALL_BYTES, MAX_FILE_BYTES } from '../ipc'
import type { ChildMessage, HostMessage } from '../ipc'
import { messageOf } from '../../../errors'

type FileMessage = Extract<ChildMessage, { type: 'file' }>

/** Puts the pieces of a handler's files together, within the limits, and answers what became of each. */
export function createFileReceiver(onFile: PluginCall['onFile'], answer: (message: HostMessage) => void) {
  const pieces = new Map<number, { chunks: Uint8Array[]; size: number }>()
  const refused = new Set<number>()
  let total = 0

  const refuse = (id: number, reason: string) => {
    pieces.delete(id)
    refused.add(id)
    answer({ type: 'refused', id, reason })
  }
  const store = async (id: number, file: PluginFile) => {
    try {
      answer({ type: 'saved', id, reference: await onFile(file) })
    } catch (error) {
      refuse(id, `the file ${file.name} cannot be stored: ${messageOf(error)}`)
    }
  }
  return async ({ id, name, contentType, bytes, last }: FileMessage): Promise<void> => {
    if (refused.has(id) || !types.isUint8Array(bytes)) return
    const file = pieces.get(id) ?? { chunks: [], size: 0 }
    pieces.set(id, file)
    file.size += bytes.byteLength
    total += bytes.byteLength
    if (file.size > MAX_FILE_BYTES) return refuse(id, `a file may have ${MAX_FILE_BYTES} bytes`)
    if (total > MAX_CALL_BYTES) return refuse(id, `the files of one call may have ${MAX_CALL_BYTES} bytes together`)
    file.chunks.push(bytes)
    if (!last) return
    pieces.delete(id)
    await store(id, { name: safeName(name), contentType: safeType(contentType), content: Buffer.concat(file.chunks) })
  }
}

/** A name for people, never a path. */
export function safeName(name: string): string {
  const plain = String(name)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}"<>|:*?\\/]+/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  return plain.slice(0, 120) || 'file'
}

export function safeType(contentType: string): string {
  return /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/.test(contentType) ? contentType : 'application/octet-stream'
}

import type { ChildLine } from './child-line'
import type { FileReference, HandlerContext } from './handler-context'
import { MAX_CHUNK_BYTES, MAX_FILE_BYTES } from './ipc'

interface Waiting {
  resolve(reference: FileReference): void
  reject(error: Error): void
}

/** Sends files to the host in pieces; each ends with the reference under which the host stored it. */
export function createFileSender(line: ChildLine): HandlerContext['saveFile'] {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  line.onMessage((message) => {
    if (message.type === 'saved') waiting.get(message.id)?.resolve(message.reference)
    if (message.type === 'refused') waiting.get(message.id)?.reject(new Error(message.reason))
  })
  return async (name, contentType, content) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (bytes.byteLength > MAX_FILE_BYTES) throw new Error(`${name} is larger than ${MAX_FILE_BYTES} bytes`)
    const id = (lastId += 1)
    const saved = new Promise<FileReference>((resolve, reject) => waiting.set(id, { resolve, reject }))
    // The host may refuse before the last piece is sent.
    saved.catch(() => undefined)
    for (let start = 0; start === 0 || start < bytes.byteLength; start += MAX_CHUNK_BYTES) {
      const end = start + MAX_CHUNK_BYTES
      const piece = Buffer.from(bytes.subarray(start, end))
      await line.send({ type: 'file', id, name, contentType, bytes: piece, last: end >= bytes.byteLength })
    }
    return saved.finally(() => waiting.delete(id))
  }
}

import type { Readable } from 'node:stream'

/** Reads at most `maxBytes`; of a longer answer the rest is never taken from the wire. */
export async function readCapped(body: Readable, maxBytes: number): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = []
  let left = maxBytes
  let truncated = false
  // Breaking off makes the stream emit an error that nobody waits for.
  body.on('error', () => undefined)
  for await (const chunk of body) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    chunks.push(bytes.subarray(0, left))
    truncated = bytes.length > left
    left -= bytes.length
    if (truncated) break
  }
  return { text: Buffer.concat(chunks).toString('utf8'), truncated }
}

/** Reads at most `maxBytes`; of a longer answer the rest is never taken from the wire. */
export async function readCapped(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Uint8Array[] = []
  let left = maxBytes
  let truncated = false
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(0, left))
    truncated = chunk.byteLength > left
    left -= chunk.byteLength
    if (truncated) break
  }
  return { bytes: Buffer.concat(chunks), truncated }
}

import { ChannelFailure } from './channel'
import type { OutgoingMessage, Receipt } from './channel'

/** A message as the calls that it takes on a platform, and what could not be said there as it was meant. */
export interface Calls<Call> {
  calls: Call[]
  degraded: string[]
}

/** Makes the calls one after the other, going on behind what an earlier try has brought there. */
export async function sendParts<Call>(
  message: OutgoingMessage,
  { calls, degraded }: Calls<Call>,
  make: (call: Call, index: number) => Promise<string>,
): Promise<Receipt> {
  if (calls.length === 0)
    throw new ChannelFailure('nothing_to_show', false, 'the platform can show nothing of the message')
  const ids = [...(message.sentParts ?? [])].slice(0, calls.length)
  for (const [index, call] of calls.entries()) {
    if (index < ids.length) continue
    const id = await make(call, index)
    ids.push(id)
    if (calls.length > 1) await message.onPart?.(id)
  }
  const note = degraded.length > 0 ? `shown as text: ${[...new Set(degraded)].join(', ')}` : null
  return { platformMessageId: ids[0] ?? null, platformMessageIds: ids, degraded: note }
}

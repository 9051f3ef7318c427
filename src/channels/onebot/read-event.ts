import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { InboundReading } from '../inbound/contract'
import { fromSegments, parseCq } from './segments'
import type { Segment } from './segments'

const Id = Type.Union([Type.Number(), Type.String()])
const MessageEvent = Type.Object({
  post_type: Type.String(),
  message_type: Type.Enum(['private', 'group']),
  self_id: Id,
  user_id: Id,
  group_id: Type.Optional(Id),
  message_id: Id,
  message: Type.Union([
    Type.String(),
    Type.Array(Type.Object({ type: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) })),
  ]),
  sender: Type.Optional(Type.Object({ nickname: Type.Optional(Type.String()), card: Type.Optional(Type.String()) })),
})

/** One event of OneBot v11 in our form. Heartbeats, notices and what the bot itself has sent are none of ours. */
export function readEvent(event: unknown): InboundReading {
  if (postTypeOf(event) === 'message_sent') return { messages: [], ignored: 'own_message' }
  if (postTypeOf(event) !== 'message' || !Value.Check(MessageEvent, event))
    return { messages: [], ignored: 'no_content' }
  const selfId = String(event.self_id)
  if (String(event.user_id) === selfId) return { messages: [], ignored: 'own_message' }
  const segments = typeof event.message === 'string' ? parseCq(event.message) : (event.message as Segment[])
  const { chain, isCalled } = fromSegments(segments, selfId)
  const isGroup = event.message_type === 'group'
  if (isGroup && !isCalled) return { messages: [], ignored: 'not_addressed' }
  if (chain.length === 0) return { messages: [], ignored: 'no_content' }
  const launcherId = String(isGroup ? event.group_id : event.user_id)
  const senderName = event.sender?.card || event.sender?.nickname
  return {
    messages: [
      {
        externalId: `${event.message_type}:${launcherId}:${event.message_id}`,
        launcherType: isGroup ? 'group' : 'person',
        launcherId,
        senderId: String(event.user_id),
        senderName: senderName?.slice(0, 255),
        chain,
        replyTo: String(event.message_id),
      },
    ],
  }
}

function postTypeOf(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || !('post_type' in event)) return undefined
  return typeof event.post_type === 'string' ? event.post_type : undefined
}

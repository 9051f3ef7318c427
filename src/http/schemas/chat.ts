import { Type } from '@fastify/type-provider-typebox'
import { ANSWER_TYPES } from '../../contracts/words'
import type { MessageChain } from '../../contracts/message-chain'
import type { JsonObject, JsonValue } from '../../contracts/words'
import { SessionAddressFields } from './session-address'

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
export const Id = (maxLength: number) => Type.String({ minLength: 1, maxLength })
export const AnyJson = Type.Unsafe<JsonValue>({})
export const AnyObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })

/** Parts of a message (see docs/history-and-push.md). */
export const Chain = Type.Unsafe<MessageChain>({ type: 'array', items: { type: 'object', additionalProperties: true } })

export const ChatRequest = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S', examples: ['明早九点提醒我喝水'] }),
  ...SessionAddressFields,
  sender_id: Type.Optional(Id(255)),
})

export const ChatAnswer = Type.Object({
  content: Type.String(),
  type: Type.Enum(ANSWER_TYPES),
  payload: AnyJson,
  session_key: Type.String(),
  turn_id: Type.String(),
  tool_calls: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), arguments: AnyJson, result: AnyObject }),
  ),
})

export const Message = Type.Object({
  id: Type.Integer(),
  role: Type.Enum(['user', 'assistant']),
  content: Type.String(),
  message_chain: Nullable(Chain),
  type: Type.String(),
  payload: AnyJson,
  source_kind: Type.String(),
  metadata: AnyObject,
  created_at: Type.String({ description: 'An instant in UTC.' }),
  turn_id: Nullable(Type.String()),
})

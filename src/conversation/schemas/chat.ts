import { Type } from 'typebox'
import { EFFECT_VERBS, EFFECT_KINDS } from '../../contracts/effect'
import { ANSWER_TYPES } from '../../contracts/words'
import { AnyJson, AnyObject, Chain, Id, Nullable } from '../../http/schemas/primitives'
import { SessionAddressFields } from './session-address'

export const ChatRequest = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S', examples: ['明早九点提醒我喝水'] }),
  ...SessionAddressFields,
  sender_id: Type.Optional(Id(255)),
})

/** What a turn really did, whatever its words say. */
export const EffectView = Type.Object({
  did: Type.Enum(EFFECT_VERBS),
  kind: Type.Enum(EFFECT_KINDS),
  id: Nullable(Type.String()),
  due_at: Type.Optional(Type.String({ description: 'An instant in UTC.' })),
  summary: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'Why it was refused.' })),
})

export const ChatAnswer = Type.Object({
  content: Type.String(),
  type: Type.Enum(ANSWER_TYPES),
  payload: AnyJson,
  effects: Type.Array(EffectView),
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

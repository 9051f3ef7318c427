import { Type } from 'typebox'
import type { MessageChain } from '../../contracts/message-chain'
import type { JsonObject, JsonValue } from '../../contracts/words'

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
export const Id = (maxLength: number) => Type.String({ minLength: 1, maxLength })
export const AnyJson = Type.Unsafe<JsonValue>({})
export const AnyObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })

/** Parts of a message (see docs/history-and-push.md). */
export const Chain = Type.Unsafe<MessageChain>({ type: 'array', items: { type: 'object', additionalProperties: true } })

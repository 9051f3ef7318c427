import { Type } from 'typebox'
import type { JsonObject } from '../../contracts/words'
import { AnyJson, Nullable } from '../../http/schemas/primitives'

export const ToolCallView = Type.Object({
  turn_id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  arguments: AnyJson,
  result: Type.Unsafe<JsonObject | null>(Nullable(AnyJson)),
  started_at: Type.String({ format: 'date-time' }),
  ended_at: Nullable(Type.String({ format: 'date-time' })),
})

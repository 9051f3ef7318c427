import { Type } from 'typebox'
import { Nullable } from '../http/schemas/primitives'

export const PromiseView = Type.Object({
  kind: Type.String({ examples: ['scheduled_message'] }),
  id: Type.String(),
  session_key: Type.String(),
  bot_uuid: Type.String(),
  due_at: Type.String({ format: 'date-time' }),
  state: Type.String(),
  summary: Type.String(),
  workflow_id: Type.String(),
  late_by_ms: Nullable(Type.Integer()),
})

export const KeptView = Type.Object({
  from: Type.String({ format: 'date-time' }),
  to: Type.String({ format: 'date-time' }),
  on_time_within_ms: Type.Integer(),
  due: Type.Integer({ description: 'All that fell due, but those that were cancelled before.' }),
  kept: Type.Integer(),
  on_time: Type.Integer(),
  failed: Type.Integer({ description: 'With the runs of automations that were missed.' }),
  overdue: Type.Integer({ description: 'Due, and neither kept nor failed yet.' }),
  cancelled: Type.Integer(),
  median_late_ms: Nullable(Type.Integer()),
  worst_late_ms: Nullable(Type.Integer()),
})

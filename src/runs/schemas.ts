import { Type } from 'typebox'
import { AnyJson, Nullable } from '../http/schemas/primitives'
import type { RunStep } from './contract'

export const StepView = Type.Object({
  stepIndex: Type.Integer(),
  stepId: Type.String(),
  aiName: Type.String(),
  dependsOn: Type.Array(Type.Integer()),
  reason: Nullable(Type.String()),
  status: Type.String({ examples: ['waiting', 'running', 'finished', 'reported', 'skipped'] }),
  args: AnyJson,
  feedback_at: Nullable(Type.String()),
  late_by_ms: Nullable(Type.Integer()),
  result: Type.Unsafe<RunStep['result']>({}),
})

export const RunView = Type.Object({
  run_id: Type.String(),
  session_key: Nullable(Type.String()),
  bot_uuid: Type.String(),
  status: Type.String({ examples: ['running', 'succeeded', 'failed', 'cancelled'] }),
  cancel_reason: Nullable(Type.String()),
  created_at: Type.String(),
  ended_at: Nullable(Type.String()),
  workflow_id: Type.String(),
  steps: Type.Array(StepView),
})

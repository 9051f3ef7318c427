import type { MessageEventData } from '../../src/contracts/event'
import type { JsonObject, JsonValue } from '../../src/contracts/words'

/** What the API answers, as far as the page reads it. */
export type Message = MessageEventData
export type { JsonObject, JsonValue }
export type { DeltaData, PromiseEventData, TurnEventData } from '../../src/contracts/event'

export interface Session {
  session_key: string
  channel: string
  launcher_id: string
  title: string | null
  created_at: string
  updated_at: string
}

export interface ToolCall {
  turn_id: string
  id: string
  name: string
  arguments: JsonValue
  result: JsonObject | null
}

export interface PromiseItem {
  kind: string
  id: string
  session_key: string
  due_at: string
  state: string
  summary: string
  workflow_id: string
  late_by_ms: number | null
}

export interface ScheduledMessage {
  id: string
  session_id: string
  message_text: string
  send_at: string
  send_at_ts: number
  status: string
  last_error: string | null
}

export interface RunStep {
  stepIndex: number
  stepId: string
  aiName: string
  dependsOn: number[]
  reason: string | null
  status: string
  feedback_at: string | null
  late_by_ms: number | null
  result: { success: boolean; code: string; error: { message: string } | null } | null
}

export interface Run {
  run_id: string
  session_key: string | null
  status: string
  created_at: string
  ended_at: string | null
  workflow_id: string
  steps: RunStep[]
}

export interface Automation {
  id: string
  name: string
  message: string
  enabled: boolean
  state: string
  words: string
  next_runs: string[]
  next_run_at: string | null
  last_run: { state: string; scheduled_at: string; error: string | null } | null
  runs_count: number
  max_runs: number | null
  schedule_id: string
}

export interface Kept {
  on_time_within_ms: number
  due: number
  kept: number
  on_time: number
  failed: number
  overdue: number
  median_late_ms: number | null
  worst_late_ms: number | null
}

export interface Task {
  taskId: string
  title: string
  dueDate: string
  startTime: string | null
  endTime: string | null
  timeSegment: string | null
  priority: string | null
  status: string
}

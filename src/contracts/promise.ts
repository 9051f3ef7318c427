/** Anything due later, in the one list over all kinds. */
export interface PromiseItem {
  kind: string
  id: string
  session_key: string
  bot_uuid: string
  due_at: Date
  state: string
  summary: string
  workflow_id: string
  late_by_ms: number | null
}

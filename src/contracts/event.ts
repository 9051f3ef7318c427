import type { MessageChain } from './message-chain'
import type { JsonObject, JsonValue, TurnOrigin, TurnStatus } from './words'

/** Names on the session stream. All but `delta` are rows and carry an id (the sequence in the session). */
export const EVENT_NAMES = ['message', 'turn', 'promise', 'run'] as const
export type EventName = (typeof EVENT_NAMES)[number]

export interface SessionEvent {
  sessionKey: string
  seq: number
  name: EventName
  data: JsonObject
  createdAt: Date
}

/** `message` event: a history row as `GET /api/ai/messages` shows it. */
export interface MessageEventData {
  id: number
  role: 'user' | 'assistant'
  content: string
  /** The parts of the message; null when it is only its text. */
  message_chain: MessageChain | null
  type: string
  payload: JsonValue | null
  source_kind: string
  metadata: JsonObject
  created_at: string
  turn_id: string | null
}

/** `turn` event. */
export interface TurnEventData {
  turn_id: string
  state: 'queued' | 'started' | 'ended'
  origin: TurnOrigin
  status: TurnStatus
  /** Of an automation's turn. */
  automation_id?: string
  automation_name?: string
  automation_run_id?: string
}

/** `promise` event: any change of state, in the shape of the promise list. */
export interface PromiseEventData {
  kind: string
  id: string
  state: string
  due_at: string
  summary: string
  late_by_ms: number | null
  /** When it was due before quiet hours moved it. */
  deferred_from?: string
  /** When it is said again unless it is done. */
  next_repeat_at?: string
  /** The one that this says again. */
  repeat_of?: string
  /** The one that was put off to this. */
  snoozed_from?: string
}

/** Text as it is written: not stored, no id; points at nothing, so it may be lost. */
export interface DeltaData {
  turn_id: string
  text: string
}

/** Who watches a session is woken on this PostgreSQL channel; the payload is the session key. */
export const SESSION_CHANNEL = 'punctual_session'
/** Rung on the same channel when the outbox has something new: no session has such a key. */
export const OUTBOX_WAKE = '*outbox'

import type { MessageChain } from '../../contracts/message-chain'
import { KIND_SCHEDULED_MESSAGE } from '../../contracts/temporal'
import type { Queryable } from '../../engine/database'
import { startSql } from '../../engine/outbox-store'
import { storableJson, storableText } from '../../engine/storable'
import type { ScheduledSourceKind } from '../contract'
import { CHANGED } from './rows'
import type { ChangedRow } from './rows'

/** The row of a message that is promised, whoever promises it. */
export interface NewRow {
  id: string
  sessionKey: string
  messageText: string
  /** The parts of the message; absent when it is only its text. */
  chain?: MessageChain
  pipelineUuid?: string
  sendAt: Date
  /** Due now, and moved to `sendAt` by quiet hours. */
  isDeferred?: boolean
  timezone: string
  replaceExisting: boolean
  toolCallId: string | null
  /** Sent although the quiet hours of its session are on. */
  urgent?: boolean
  /** Promised for a clock time. */
  byClock?: boolean
  /** Said again so often until it is done. */
  repeatSeconds?: number | null
  /** The one that is put off to this. */
  snoozedFrom?: string
  sourceKind: ScheduledSourceKind
  /** How many messages of its source may be pending in the session. */
  limit: number
}

/** What the parameters of `INSERT` stand for; a statement that holds it numbers its own from `NEXT` on. */
export const valuesOf = (row: NewRow): unknown[] => [
  row.id,
  row.sessionKey,
  storableText(row.messageText),
  row.chain ? storableJson(row.chain) : null,
  row.pipelineUuid ?? null,
  row.sendAt,
  row.isDeferred ?? false,
  row.timezone,
  row.replaceExisting,
  row.toolCallId,
  row.urgent ?? false,
  row.sourceKind,
  row.limit,
  row.repeatSeconds ?? null,
  row.snoozedFrom ?? null,
  row.byClock ?? false,
]
export const NEXT = '$17'

/** SQL: the session has room for one more. */
export const HAS_ROOM = `(SELECT count(*) FROM scheduled_messages
  WHERE session_id = $2::text AND status = 'pending' AND source_kind = $12::text) < $13::int`

/** SQL: the row and its outbox entry, `created` and `told`, for the session that `session` names. */
export const createdIn = (session: string) => `created AS (
  INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, message_chain,
    pipeline_uuid, send_at_ts, deferred_from, timezone, status, replace_existing, created_by_tool_call_id, urgent, source_kind,
    repeat_seconds, snoozed_from, by_clock)
  SELECT $1::uuid, session_key, bot_uuid, channel, CASE launcher_type WHEN 'person' THEN 'private' ELSE 'group' END, $3::text,
    $4::jsonb, $5::text, $6::timestamptz, CASE WHEN $7::boolean THEN now() END, $8::text, 'pending', $9::boolean, $10::text,
    $11::boolean, $12::text, $14::int, $15::uuid, $16::boolean FROM ${session}
  RETURNING ${CHANGED}
), told AS (
  ${startSql(KIND_SCHEDULED_MESSAGE, 'created')}
)`

/** Promises a message in a session that is locked, with its outbox entry. Undefined when the session has no room. */
export async function insertScheduledMessage(db: Queryable, row: NewRow): Promise<ChangedRow | undefined> {
  const { rows } = await db.query<ChangedRow>(
    `WITH ${createdIn(`sessions WHERE session_key = $2::text AND ${HAS_ROOM}`)} SELECT * FROM created`,
    valuesOf(row),
  )
  return rows[0]
}

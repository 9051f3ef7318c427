import type { Pool } from 'pg'
import { PENDING_LIMIT_PER_SESSION } from '../contract'
import type { ScheduledMessage } from '../contract'
import type { Database, Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { appendEvents, lockSession, lockSessionRow } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { cancelPendingRows } from './cancel'
import { createdIn, HAS_ROOM, insertScheduledMessage, NEXT, valuesOf } from './insert'
import type { NewRow } from './insert'
import { promiseEvent, READ, toChangedMessage, toScheduledMessage } from './rows'
import type { ChangedRow, ScheduledMessageRow } from './rows'

export interface NewScheduledMessage extends Omit<NewRow, 'sourceKind' | 'limit'> {
  /** Takes the place of this one, which must still be pending; nothing happens when it is not. */
  replaces?: string
  turn?: TurnFence
}

export type CreateOutcome =
  | { state: 'created'; message: ScheduledMessage; cancelledIds: string[] }
  | { state: 'too_many_pending' }
  | { state: 'too_late' }

/** Row, outbox entry, event and the cancelled older rows are one transaction; Temporal is told afterwards. */
export async function createScheduledMessage(
  { pool, wake }: Pick<Database, 'pool' | 'wake'>,
  input: NewScheduledMessage,
): Promise<CreateOutcome> {
  const isPlain = !input.replaceExisting && input.replaces === undefined
  const row = isPlain ? await createAtOnce(pool, input) : undefined
  if (row) {
    wake(input.sessionKey)
    return { state: 'created', message: toChangedMessage(row), cancelledIds: [] }
  }
  return createUnderLock(pool, input)
}

/**
 * The usual case as one statement, one round trip. Whatever changes a session's pending messages also numbers an event,
 * so the event number is the version of what was counted: if anybody wrote in the session between our snapshot and our
 * lock, or it is full, deleted or lost to another turn, nothing happens here and the careful way decides.
 */
const CREATE = `
WITH seen AS MATERIALIZED (
  SELECT event_seq FROM sessions WHERE session_key = $2::text AND ${HAS_ROOM}
), session AS (
  UPDATE sessions s SET event_seq = s.event_seq + 1, updated_at = now() FROM seen
  WHERE s.session_key = $2::text AND s.event_seq = seen.event_seq AND s.deleted_at IS NULL
    AND (${NEXT}::bigint IS NULL OR s.turn_fence = ${NEXT}::bigint)
  RETURNING s.session_key, s.bot_uuid, s.channel, s.launcher_type, s.event_seq
), ${createdIn('session')}, shown AS (
  INSERT INTO session_events (session_key, seq, name, data)
  SELECT session_key, event_seq, 'promise', event FROM session, created
)
SELECT * FROM created`

/** What a person asked for: of these, so many may be pending in a session. */
const asked = ({ turn: _turn, replaces: _old, ...input }: NewScheduledMessage): NewRow => ({
  ...input,
  sourceKind: 'scheduled_send',
  limit: PENDING_LIMIT_PER_SESSION,
})

async function createAtOnce(pool: Pool, input: NewScheduledMessage): Promise<ChangedRow | undefined> {
  const { rows } = await pool.query<ChangedRow>({
    name: 'create-scheduled-message',
    text: CREATE,
    values: [...valuesOf(asked(input)), input.turn?.fence ?? null],
  })
  return rows[0]
}

function createUnderLock(pool: Pool, input: NewScheduledMessage): Promise<CreateOutcome> {
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, input.sessionKey, input.turn)
    const replaced = await replaceOlder(db, input)
    if (input.replaces !== undefined && replaced.length === 0) return { state: 'too_late' }
    const row = await insertScheduledMessage(db, asked(input))
    if (!row) return tooMany(replaced)
    await appendEvents(db, session.sessionKey, [...replaced, row].map(promiseEvent))
    const cancelledIds = replaced.map(({ id }) => id)
    return { state: 'created', message: toChangedMessage(row), cancelledIds }
  })
}

/** Cancels what the new one takes the place of: every pending one, or the one that is named. */
async function replaceOlder(db: Queryable, input: NewScheduledMessage): Promise<ChangedRow[]> {
  if (!input.replaceExisting && input.replaces === undefined) return []
  return cancelPendingRows(db, {
    sessionKey: input.sessionKey,
    toolCallId: input.toolCallId,
    id: input.replaceExisting ? undefined : input.replaces,
    reason: 'replaced',
    sourceKind: 'scheduled_send',
  })
}

/** With replacement there is room for one more, so the limit can only be met without it, and nothing was changed. */
function tooMany(replaced: ChangedRow[]): CreateOutcome {
  if (replaced.length > 0) throw new Error('a replaced session cannot be full')
  return { state: 'too_many_pending' }
}

/**
 * How a create ended of whose commit nobody heard: under the session's lock, which the create holds while it may still
 * commit. Undefined when nothing was stored.
 */
export function findCreated(pool: Pool, { id, sessionKey }: Pick<NewScheduledMessage, 'id' | 'sessionKey'>) {
  return inTransaction(pool, async (db): Promise<CreateOutcome | undefined> => {
    await lockSessionRow(db, sessionKey)
    const { rows } = await db.query<ScheduledMessageRow & { replaced: string[] }>(
      `SELECT ${READ}, ARRAY (
         SELECT other.id::text FROM scheduled_messages other WHERE other.session_id = $2 AND other.cancel_reason = 'replaced'
           AND other.status = 'cancelled' AND other.updated_at_ts = scheduled_messages.created_at_ts) AS replaced
       FROM scheduled_messages WHERE id = $1`,
      [id, sessionKey],
    )
    if (!rows[0]) return undefined
    const { replaced: cancelledIds, ...row } = rows[0]
    return { state: 'created', message: toScheduledMessage(row), cancelledIds }
  })
}

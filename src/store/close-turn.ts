import type { TurnEventData } from '../contracts/event'
import type { Session } from '../contracts/session'
import { CLOSING_TEXTS } from '../contracts/turn'
import type { ClosingCause, TurnInput } from '../contracts/turn'
import type { TurnOrigin, TurnStatus } from '../contracts/words'
import type { Queryable } from './database'
import { appendEvents, insertMessage, messageEvent } from './session-writes'
import type { NewEvent } from './session-writes'

export interface TurnRow {
  id: string
  session_key: string
  origin: TurnOrigin
  status: TurnStatus
  /** Set once it has begun, and kept when it goes back into the queue. */
  fence: number | null
  input: TurnInput
}

export function turnEvent(
  turnId: string,
  origin: TurnOrigin,
  state: TurnEventData['state'],
  status: TurnStatus,
): NewEvent {
  const data: TurnEventData = { turn_id: turnId, state, origin, status }
  return { name: 'turn', data }
}

/**
 * Ends a turn that nobody works on any more: the fence moves on, so that a late writer changes nothing, and the person
 * sees what they said and that it was not answered.
 */
export async function closeTurn(db: Queryable, session: Session, turn: TurnRow, cause: ClosingCause): Promise<void> {
  await db.query(`UPDATE turns SET status = 'closed', error = $2, ended_at = now() WHERE id = $1`, [turn.id, cause])
  await db.query('UPDATE sessions SET turn_fence = turn_fence + 1 WHERE session_key = $1', [session.sessionKey])
  const events: NewEvent[] = []
  if (turn.status === 'queued' && turn.fence === null) {
    const asked = await insertMessage(db, session, {
      role: 'user',
      senderId: turn.input.senderId,
      content: turn.input.message,
      sourceKind: 'chat',
      turnId: turn.id,
      metadata: turn.input.metadata,
    })
    events.push(messageEvent(asked))
  }
  const closing = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: CLOSING_TEXTS[cause][languageOf(session, turn.input)],
    sourceKind: 'closing',
    turnId: turn.id,
    metadata: { closing: cause },
  })
  await appendEvents(db, session.sessionKey, [
    ...events,
    messageEvent(closing),
    turnEvent(turn.id, turn.origin, 'ended', 'closed'),
  ])
}

/** Closes every turn of the locked session whose lease has ended, but not `except`, whose holder is asking right now. */
export async function closeTurnsWithoutHolder(db: Queryable, session: Session, except?: string): Promise<number> {
  const { rows } = await db.query<TurnRow>(
    `SELECT * FROM turns WHERE session_key = $1 AND status IN ('queued', 'running') AND lease_until < now()
       AND id IS DISTINCT FROM $2::uuid ORDER BY seq`,
    [session.sessionKey, except ?? null],
  )
  for (const turn of rows) await closeTurn(db, session, turn, 'interrupted')
  return rows.length
}

function languageOf(session: Session, input: TurnInput): 'zh' | 'en' {
  return session.language ?? (/\p{Script=Han}/u.test(input.message) ? 'zh' : 'en')
}

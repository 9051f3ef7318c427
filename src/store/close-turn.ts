import type { Session } from '../contracts/session'
import { CLOSING_TEXTS } from '../contracts/turn'
import type { ClosingCause, TurnInput } from '../contracts/turn'
import { endRunOfTurn } from './automations/end-run'
import { findRunOfTurn } from './automations/read'
import { describeFailedRun } from '../contracts/automation-texts'
import type { Queryable } from './database'
import { appendEvents, insertMessage, messageEvent } from './session-writes'
import type { NewEvent } from './session-writes'
import { turnEvent } from './turn-event'
import type { TurnRow } from './turn-event'

/**
 * Ends a turn that nobody works on any more: the fence moves on, so that a late writer changes nothing, and the person
 * sees what they said and that it was not answered.
 */
export async function closeTurn(db: Queryable, session: Session, turn: TurnRow, cause: ClosingCause): Promise<void> {
  await db.query(`UPDATE turns SET status = 'closed', error = $2, ended_at = now() WHERE id = $1`, [turn.id, cause])
  await db.query('UPDATE sessions SET turn_fence = turn_fence + 1 WHERE session_key = $1', [session.sessionKey])
  const said =
    turn.origin === 'automation' ? await closeRun(db, session, turn, cause) : await closeChat(db, session, turn, cause)
  await appendEvents(db, session.sessionKey, [...said, turnEvent(turn, 'ended', 'closed')])
}

async function closeChat(db: Queryable, session: Session, turn: TurnRow, cause: ClosingCause): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  if (turn.status === 'queued' && turn.fence === null) {
    const asked = await insertMessage(db, session, {
      role: 'user',
      senderId: turn.input.senderId,
      content: turn.input.message,
      chain: turn.input.chain,
      sourceKind: 'chat',
      turnId: turn.id,
      metadata: turn.input.metadata,
    })
    events.push(messageEvent(asked))
  }
  const content = CLOSING_TEXTS[cause][languageOf(session, turn.input)]
  return [...events, messageEvent(await insertClosing(db, session, turn, { content, cause }))]
}

/** A run that still waits for its turn is not over: it takes a new place. One that had begun ends visibly. */
async function closeRun(db: Queryable, session: Session, turn: TurnRow, cause: ClosingCause): Promise<NewEvent[]> {
  const run = turn.status === 'running' ? await findRunOfTurn(db, turn.id) : undefined
  if (!run) return []
  const content = describeFailedRun(run.name, session.language ?? run.language)
  const closing = await insertClosing(db, session, turn, { content, cause })
  const ended = await endRunOfTurn(db, session, {
    turnId: turn.id,
    state: 'failed',
    error: cause,
    messageId: closing.id,
  })
  return [messageEvent(closing), ...ended]
}

function insertClosing(
  db: Queryable,
  session: Session,
  turn: TurnRow,
  { content, cause }: { content: string; cause: ClosingCause },
) {
  const about = turn.origin === 'automation' ? turn.input.metadata : {}
  return insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content,
    sourceKind: 'closing',
    turnId: turn.id,
    metadata: { closing: cause, ...about },
  })
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

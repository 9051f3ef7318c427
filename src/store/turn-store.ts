import type { NewMessage } from '../contracts/message'
import { TURN_LEASE_SECONDS, TURN_QUEUE_LIMIT } from '../contracts/turn'
import type { ClosingCause, NewTurn } from '../contracts/turn'
import { tooMany } from '../errors'
import { closeTurn, closeTurnsWithoutHolder } from './close-turn'
import type { Database, Queryable } from './database'
import { inTransaction } from './database'
import { endTurn } from './end-turn'
import type { TurnResult } from './end-turn'
import { appendEvents, insertMessage, lockSession, messageEvent } from './session-writes'
import type { TurnFence } from './session-writes'
import { firstOpenTurn, isOpen, startTurn } from './start-turn'
import type { Claim } from './start-turn'
import { takeOverTurn } from './take-over-turn'
import { turnEvent } from './turn-event'
import type { TurnRow } from './turn-event'

export type TurnStore = ReturnType<typeof createTurnStore>

/** The queue of turns in PostgreSQL: one running per session, the others in the order they came. */
export function createTurnStore({ pool }: Database) {
  return {
    enqueue(turn: NewTurn): Promise<void> {
      return inTransaction(pool, async (db) => {
        await lockSession(db, turn.sessionKey)
        await refuseWhenFull(db, turn.sessionKey)
        await db.query(
          `INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input)
           VALUES ($1, $2, $3, 'queued', $4, now() + make_interval(secs => $5), $6)`,
          [turn.id, turn.sessionKey, turn.origin, turn.holder, TURN_LEASE_SECONDS, JSON.stringify(turn.input)],
        )
        await appendEvents(db, turn.sessionKey, [turnEvent(turn, 'queued', 'queued')])
      })
    },

    /** The turn of a holder that died, for whoever repeats its work. */
    takeOver: (turn: { id: string; sessionKey: string; holder: string }) =>
      inTransaction(pool, (db) => takeOverTurn(db, turn)),

    /** A cheap look that spares all but the first in line the lock of `claim`. */
    async isNext(sessionKey: string, turnId: string): Promise<boolean> {
      const { rows } = await pool.query<{ id: string; busy: boolean }>(
        `SELECT id, EXISTS (SELECT 1 FROM turns WHERE session_key = $1 AND status = 'running' AND lease_until >= now()) AS busy
         FROM turns WHERE session_key = $1 AND status = 'queued' AND (id = $2 OR lease_until >= now()) ORDER BY seq LIMIT 1`,
        [sessionKey, turnId],
      )
      const first = rows[0]
      return !first || (first.id === turnId && !first.busy)
    },

    /** Takes the session for the turn if it is its place, storing what it was asked; closes dead holders on the way. */
    claim(sessionKey: string, turnId: string, message: NewMessage): Promise<Claim> {
      return inTransaction(pool, async (db) => {
        const session = await lockSession(db, sessionKey)
        await closeTurnsWithoutHolder(db, session, turnId)
        const head = await firstOpenTurn(db, sessionKey)
        if (head?.id !== turnId) return (await isOpen(db, turnId)) ? { state: 'waiting' } : { state: 'gone' }
        return startTurn(db, session, head, message)
      })
    },

    /** False once the turn was closed by someone else, or has another holder. */
    async renew(turnId: string, holder: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE turns SET lease_until = now() + make_interval(secs => $2)
         WHERE id = $1 AND holder = $3 AND status IN ('queued', 'running')`,
        [turnId, TURN_LEASE_SECONDS, holder],
      )
      return rowCount === 1
    },

    /** Stores the answer and ends the turn in one transaction; fails with `turn_lost` if it was closed meanwhile. */
    end: (sessionKey: string, turn: TurnFence, result: TurnResult) =>
      inTransaction(pool, (db) => endTurn(db, sessionKey, turn, result)),

    /** The answer of a turn that was closed before it could be stored; once, however often it is tried. */
    addLateAnswer(sessionKey: string, turnId: string, message: NewMessage): Promise<void> {
      return inTransaction(pool, async (db) => {
        const session = await lockSession(db, sessionKey)
        const sourceRef = `late_answer:${turnId}`
        const known = await db.query('SELECT 1 FROM message_history WHERE source_ref = $1', [sourceRef])
        if (known.rowCount !== 0) return
        const metadata = { ...message.metadata, late_answer: true }
        const stored = await insertMessage(db, session, { ...message, turnId, sourceRef, metadata, deliver: false })
        await appendEvents(db, sessionKey, [messageEvent(stored)])
      })
    },

    /** Ends an own turn that will not be worked on, with a visible closing. False if it had ended already. */
    close(sessionKey: string, turnId: string, cause: ClosingCause): Promise<boolean> {
      return inTransaction(pool, async (db) => {
        const session = await lockSession(db, sessionKey)
        const { rows } = await db.query<TurnRow>(
          `SELECT * FROM turns WHERE id = $1 AND status IN ('queued', 'running')`,
          [turnId],
        )
        if (rows[0]) await closeTurn(db, session, rows[0], cause)
        return rows.length === 1
      })
    },

    /** Closes turns whose holder died, in sessions where nobody waits to notice. */
    async closeExpired(limit: number): Promise<number> {
      const { rows } = await pool.query<{ session_key: string }>(
        `SELECT DISTINCT session_key FROM turns WHERE status IN ('queued', 'running') AND lease_until < now() LIMIT $1`,
        [limit],
      )
      let closed = 0
      for (const { session_key: key } of rows) {
        closed += await inTransaction(pool, async (db) => closeTurnsWithoutHolder(db, await lockSession(db, key)))
      }
      return closed
    },
  }
}

async function refuseWhenFull(db: Queryable, sessionKey: string): Promise<void> {
  const { rows } = await db.query<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM turns WHERE session_key = $1 AND status = 'queued'`,
    [sessionKey],
  )
  if (rows[0]!.waiting < TURN_QUEUE_LIMIT) return
  throw tooMany(
    'too_many_turns',
    `${TURN_QUEUE_LIMIT} messages already wait in this session`,
    5,
    'Wait for the answers.',
  )
}

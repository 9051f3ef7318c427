import type { NewMessage } from '../message'
import { TURN_LEASE_SECONDS } from '../turn'
import type { ClosingCause, NewTurn } from '../turn'
import { beginTurn } from './begin-turn'
import { chatTurnHooks, startWithQuestion } from './chat-turn-hooks'
import { closeOpenTurn, closeTurnsWithoutHolder, FORSAKEN } from './close-turn'
import type { Database } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { endTurn, endTurnAtOnce } from './end-turn'
import type { TurnResult } from './end-turn'
import { enqueueTurn, isIdle } from './enqueue-turn'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { firstOpenTurn, isOpen, startTurn } from './start-turn'
import type { Claim } from './start-turn'
import { takeOverTurn } from './take-over-turn'
import type { OnStart, TurnHooksOf } from './turn-hooks'

/** A turn and the one who works on it. */
export interface HeldPlace {
  id: string
  sessionKey: string
  holder: string
}

export type TurnStore = ReturnType<typeof createTurnStore>

/** The queue of turns in PostgreSQL: one running per session, the others in the order they came. */
export function createTurnStore({ pool }: Database, hooksOf: Omit<TurnHooksOf, 'user'>) {
  const hooks = { ...hooksOf, user: chatTurnHooks }
  return {
    /** A new turn of a person. In an idle session it starts at once, in the same transaction. */
    async enqueue(turn: NewTurn): Promise<Claim> {
      const begun = await beginTurn(pool, turn)
      if (begun) return begun
      return inTransaction(pool, async (db): Promise<Claim> => {
        const session = await lockSession(db, turn.sessionKey)
        const idle = await isIdle(db, turn.sessionKey)
        const queued = await enqueueTurn(db, turn)
        if (idle)
          return startTurn(db, session, {
            turn: queued.turn,
            onStart: startWithQuestion,
            hooks,
            before: [queued.event],
          })
        await appendEvents(db, turn.sessionKey, [queued.event])
        return { state: 'waiting' }
      })
    },

    /** The turn of a holder that died, for whoever repeats its work. */
    takeOver: (turn: HeldPlace) => inTransaction(pool, (db) => takeOverTurn(db, turn, hooks)),

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

    /** Takes the session for the turn if it is its place; closes dead holders on the way. */
    claim({ id, sessionKey, holder }: HeldPlace, onStart: OnStart = startWithQuestion): Promise<Claim> {
      return inTransaction(pool, async (db): Promise<Claim> => {
        const session = await lockSession(db, sessionKey)
        await closeTurnsWithoutHolder(db, session, { hooks, except: id })
        const head = await firstOpenTurn(db, sessionKey, id)
        if (head?.id !== id) return { state: (await isOpen(db, { id, holder })) ? 'waiting' : 'gone' }
        if (head.holder !== holder) return { state: 'gone' }
        // Its start was committed, but the holder never heard of it.
        if (head.status === 'running') return { state: 'running', fence: head.fence!, session }
        return startTurn(db, session, { turn: head, onStart, hooks })
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
    end: async (sessionKey: string, turn: TurnFence, result: TurnResult) =>
      (await endTurnAtOnce(pool, sessionKey, { ...turn, result })) ??
      inTransaction(pool, (db) => endTurn(db, sessionKey, { ...turn, result }, hooks)),

    /** The answer of a turn that was closed before it could be stored; once, however often it is tried. */
    addLateAnswer(sessionKey: string, turnId: string, message: NewMessage): Promise<void> {
      return inTransaction(pool, async (db) => {
        const session = await lockSession(db, sessionKey)
        const sourceRef = `late_answer:${turnId}`
        const known = await db.query('SELECT 1 FROM message_history WHERE source_ref = $1', [sourceRef])
        if (known.rowCount !== 0) return
        const { rows } = await db.query<{ viaChannel: boolean | null }>(
          `SELECT (input ->> 'viaChannel')::boolean AS via_channel FROM turns WHERE id = $1`,
          [turnId],
        )
        // A turn that is gone was forgotten meanwhile, and its answer with it.
        if (!rows[0]) return
        const deliver = rows[0].viaChannel ?? false
        const metadata = { ...message.metadata, late_answer: true }
        const stored = await insertMessage(db, session, { ...message, turnId, sourceRef, metadata, deliver })
        await appendEvents(db, sessionKey, [messageEvent(stored)])
      })
    },

    /** Ends a turn that will not be worked on, with a visible closing. False if it had ended already. */
    close: (sessionKey: string, turnId: string, cause: ClosingCause) =>
      closeOpenTurn(pool, { id: turnId, sessionKey }, { closing: { cause }, hooks }),

    /** Closes turns whose holder died, in sessions where nobody waits to notice. */
    async closeExpired(limit: number): Promise<number> {
      const { rows } = await pool.query<{ sessionKey: string }>(
        `SELECT DISTINCT session_key FROM turns WHERE ${FORSAKEN} LIMIT $1`,
        [limit],
      )
      let closed = 0
      for (const { sessionKey: key } of rows) {
        closed += await inTransaction(pool, async (db) =>
          closeTurnsWithoutHolder(db, await lockSession(db, key), { hooks }),
        )
      }
      return closed
    },
  }
}

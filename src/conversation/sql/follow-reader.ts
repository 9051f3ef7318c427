import type { Pool } from 'pg'
import { inTransaction } from '../../engine/database'
import type { PromiseKind } from '../../engine/promise-kind'
import type { ReconcilerStep } from '../../engine/reconciler'
import { appendEvents, lockSessionIfThere } from '../../engine/session-writes'
import type { SharedSessions } from '../shared-session'

const THREADS_AT_ONCE = 100

/**
 * Once web chats share a session nobody reads the threads that they were before: what those still promise goes to the
 * shared session, where it is listed, cancelled and kept. Automations stay with their thread and find that session themselves.
 */
export function followReaderStep({
  pool,
  kinds,
  shared,
}: {
  pool: Pool
  kinds: readonly PromiseKind[]
  shared: SharedSessions
}): ReconcilerStep {
  return {
    name: 'unified_threads',
    async run(each) {
      if (!shared.isUnified) return 0
      let moved = 0
      for (const kind of kinds.filter(({ followsReader }) => followsReader === true)) {
        const threads = await threadsWith(pool, kind)
        moved += await each(
          threads,
          (thread) => thread,
          async (thread) => moveOpen(pool, kind, thread, await shared.heardIn(thread)),
        )
      }
      return moved
    },
  }
}

async function threadsWith(pool: Pool, { table, sessionColumn, open }: PromiseKind): Promise<string[]> {
  const { rows } = await pool.query<{ sessionKey: string }>(
    `SELECT DISTINCT s.session_key FROM ${table} p JOIN sessions s ON s.session_key = p.${sessionColumn}
     WHERE ${open} AND s.channel = 'web' AND s.launcher_type = 'person' AND s.deleted_at IS NULL
       AND s.session_key !~ '^([^/]+/)?(unified|cron):' LIMIT $1`,
    [THREADS_AT_ONCE],
  )
  return rows.map(({ sessionKey }) => sessionKey)
}

/** Both sessions are locked, always in the same order, so that nothing is sent in one while it goes to the other. */
function moveOpen(pool: Pool, kind: PromiseKind, from: string, to: string): Promise<number> {
  if (from === to) return Promise.resolve(0)
  return inTransaction(pool, async (db) => {
    for (const key of [from, to].sort()) if (!(await lockSessionIfThere(db, key))) return 0
    const { rows } = await db.query<{ id: string }>(
      `UPDATE ${kind.table} p SET ${kind.sessionColumn} = $2 WHERE p.${kind.sessionColumn} = $1 AND ${kind.open}
       RETURNING p.id::text AS id`,
      [from, to],
    )
    const ids = rows.map(({ id }) => id)
    const events = await db.query<{ event: object }>(
      `SELECT promise_event(kind, id, state, due_at, summary, late_by_ms, NULL) AS event
       FROM (${kind.promise ?? ''}) AS p(kind, id, session_key, bot_uuid, due_at, state, summary, workflow_id, late_by_ms)
       WHERE id = ANY ($1) ORDER BY due_at, id`,
      [ids],
    )
    await appendEvents(
      db,
      to,
      events.rows.map(({ event }) => ({ name: 'promise', data: event })),
    )
    return ids.length
  })
}

import type { NotificationChange, Notifications } from './notifications'
import { notFound } from '../errors'
import type { Database } from '../engine/database'
import { inTransaction } from '../engine/database'
import { cancelPendingRows } from './sql/cancel'
import { promiseEvent } from './sql/rows'
import { appendEvents, lockSession } from '../engine/session-writes'
import type { TurnFence } from '../engine/session-writes'

export type NotificationStore = ReturnType<typeof createNotificationStore>

interface Row {
  pushes: boolean
  quietStart: string | null
  quietEnd: string | null
}

const COLUMNS = `pushes_off_at IS NULL AS pushes, to_char(quiet_start, 'HH24:MI') AS quiet_start,
  to_char(quiet_end, 'HH24:MI') AS quiet_end`

/** What a person wants to hear: columns of their session. */
export function createNotificationStore({ pool }: Database) {
  return {
    async read(sessionKey: string): Promise<Notifications> {
      const { rows } = await pool.query<Row>(`SELECT ${COLUMNS} FROM sessions WHERE session_key = $1`, [sessionKey])
      if (!rows[0]) throw notFound(`session ${sessionKey}`)
      return toNotifications(rows[0])
    },

    /** Whoever wants no pushes also gets none of those that wait; answers how it stands then. */
    change(
      sessionKey: string,
      change: NotificationChange,
      turn?: TurnFence,
    ): Promise<Notifications & { cancelled: number }> {
      return inTransaction(pool, async (db) => {
        await lockSession(db, sessionKey, turn)
        const { pushes = null, quietHours } = change
        const { rows } = await db.query<Row>(
          `UPDATE sessions SET
             pushes_off_at = CASE $2::boolean WHEN true THEN NULL WHEN false THEN coalesce(pushes_off_at, now())
               ELSE pushes_off_at END,
             quiet_start = CASE WHEN $3 THEN $4::time ELSE quiet_start END,
             quiet_end = CASE WHEN $3 THEN $5::time ELSE quiet_end END
           WHERE session_key = $1 RETURNING ${COLUMNS}`,
          [sessionKey, pushes, quietHours !== undefined, quietHours?.start ?? null, quietHours?.end ?? null],
        )
        const cancelled =
          pushes === false
            ? await cancelPendingRows(db, { sessionKey, reason: 'pushes turned off', sourceKind: 'push' })
            : []
        if (cancelled.length > 0) await appendEvents(db, sessionKey, cancelled.map(promiseEvent))
        return { ...toNotifications(rows[0]!), cancelled: cancelled.length }
      })
    },
  }
}

function toNotifications({ pushes, quietStart: start, quietEnd: end }: Row): Notifications {
  return { pushes, quietHours: start === null || end === null ? null : { start, end } }
}

import type { ZoneSource } from '../contracts/words'
import { notFound } from '../errors'
import type { Database } from '../engine/database'
import { inTransaction } from '../engine/database'
import { lockSession } from '../engine/session-writes'
import type { TurnFence } from '../engine/session-writes'

export interface Zone {
  timezone: string
  source: ZoneSource
}

export type ZoneStore = ReturnType<typeof createZoneStore>

/** Where the person is, and who says so: columns of their session. */
export function createZoneStore({ pool }: Pick<Database, 'pool'>) {
  return {
    async read(sessionKey: string): Promise<Zone> {
      const { rows } = await pool.query<Zone>(
        'SELECT timezone, timezone_source AS source FROM sessions WHERE session_key = $1',
        [sessionKey],
      )
      if (!rows[0]) throw notFound(`session ${sessionKey}`)
      return rows[0]
    },

    set(sessionKey: string, { timezone, source }: Zone, turn?: TurnFence): Promise<void> {
      return inTransaction(pool, async (db) => {
        await lockSession(db, sessionKey, turn)
        await db.query('UPDATE sessions SET timezone = $2, timezone_source = $3 WHERE session_key = $1', [
          sessionKey,
          timezone,
          source,
        ])
      })
    },

    /** True the first time, while the zone is only the default: then the person is asked. */
    async askOnce(sessionKey: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE sessions SET timezone_asked_at = now()
         WHERE session_key = $1 AND timezone_source = 'default' AND timezone_asked_at IS NULL`,
        [sessionKey],
      )
      return rowCount === 1
    },
  }
}

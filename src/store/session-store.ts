import type { ConversationKey } from '../contracts/history'
import type { Session } from '../contracts/session'
import type { ChannelName, Language } from '../contracts/words'
import type { Database } from './database'
import { deleteSession } from './delete-session'
import { toSession } from './session-rows'
import type { SessionRow } from './session-rows'

/** A key that was deleted begins anew; one that is in use stays as it is. Event numbers and fences go on in any case. */
const REVIVED = [
  ...['bot_uuid', 'channel', 'launcher_type', 'launcher_id', 'pipeline_uuid', 'timezone', 'language', 'title'],
  ...['created_at', 'updated_at'],
]
  .map(
    (column) => `${column} = CASE WHEN sessions.deleted_at IS NULL THEN sessions.${column} ELSE excluded.${column} END`,
  )
  .join(', ')

export type NewSession = Omit<Session, 'createdAt' | 'updatedAt'>
export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore({ pool }: Database) {
  return {
    async find(sessionKey: string): Promise<Session | null> {
      const { rows } = await pool.query<SessionRow>(
        'SELECT * FROM sessions WHERE session_key = $1 AND deleted_at IS NULL',
        [sessionKey],
      )
      return rows[0] ? toSession(rows[0]) : null
    },

    /** Where this person or group is talked to on that channel, lately. */
    async findByAddress(address: ConversationKey & { channel: ChannelName }): Promise<Session | null> {
      const { rows } = await pool.query<SessionRow>(
        `SELECT * FROM sessions WHERE bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3 AND channel = $4
           AND deleted_at IS NULL ORDER BY updated_at DESC LIMIT 1`,
        [address.botUuid, address.launcherType, address.launcherId, address.channel],
      )
      return rows[0] ? toSession(rows[0]) : null
    },

    /** Opens the session if it is new; two callers at once get the same one. */
    async findOrCreate(session: NewSession): Promise<Session> {
      const { rows } = await pool.query<SessionRow>(
        `INSERT INTO sessions (session_key, bot_uuid, channel, launcher_type, launcher_id, pipeline_uuid, timezone, language, title)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (session_key) DO UPDATE SET ${REVIVED}, deleted_at = NULL RETURNING *`,
        [
          session.sessionKey,
          session.botUuid,
          session.channel,
          session.launcherType,
          session.launcherId,
          session.pipelineUuid,
          session.timezone,
          session.language,
          session.title,
        ],
      )
      return toSession(rows[0]!)
    },

    /** What a person may change by saying it in a request: where they are, what they speak, who answers. */
    async update(
      sessionKey: string,
      change: { timezone?: string; language?: Language; pipelineUuid?: string },
    ): Promise<Session | null> {
      const { rows } = await pool.query<SessionRow>(
        `UPDATE sessions SET timezone = coalesce($2, timezone), language = coalesce($3, language),
           pipeline_uuid = coalesce($4, pipeline_uuid) WHERE session_key = $1 RETURNING *`,
        [sessionKey, change.timezone ?? null, change.language ?? null, change.pipelineUuid ?? null],
      )
      return rows[0] ? toSession(rows[0]) : null
    },

    async rename(sessionKey: string, title: string | null): Promise<Session | null> {
      const { rows } = await pool.query<SessionRow>(
        'UPDATE sessions SET title = $2 WHERE session_key = $1 AND deleted_at IS NULL RETURNING *',
        [sessionKey, title],
      )
      return rows[0] ? toSession(rows[0]) : null
    },

    delete: (sessionKey: string, how: Parameters<typeof deleteSession>[2]) => deleteSession(pool, sessionKey, how),

    async list(filter: { bots: 'all' | readonly string[]; botUuid?: string; limit: number }): Promise<Session[]> {
      const { rows } = await pool.query<SessionRow>(
        `SELECT * FROM sessions
         WHERE deleted_at IS NULL AND ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR bot_uuid = $2)
         ORDER BY updated_at DESC LIMIT $3`,
        [filter.bots === 'all' ? null : filter.bots, filter.botUuid ?? null, filter.limit],
      )
      return rows.map(toSession)
    },
  }
}

import type { Pool } from 'pg'
import type { ConversationKey } from '../history-contract'
import type { NewSession, Session } from '../session'
import type { ChannelName, Language, ZoneSource } from '../../contracts/words'
import { conflict } from '../../errors'
import { scopedKey } from '../../contracts/session-key'
import type { Database } from '../../engine/database'
import { forgetBot } from './delete-bot'
import { deleteSession } from './delete-session'
import type { SessionEndings } from './delete-session'
import { forgetDeleted } from './forget-deleted'
import { pruneOld } from './prune'
import type { KeptDays } from './prune'
import { SESSION } from '../../engine/session-writes'

/** A key that was deleted begins anew; one that is in use stays as it is. Event numbers and fences go on in any case. */
const REVIVED =
  'channel launcher_type launcher_id pipeline_uuid timezone timezone_source language title created_at updated_at'
    .split(' ')
    .map(
      (column) =>
        `${column} = CASE WHEN sessions.deleted_at IS NULL THEN sessions.${column} ELSE excluded.${column} END`,
    )
    .join(', ')

export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore({ pool }: Database, endings: SessionEndings) {
  return {
    async find(sessionKey: string): Promise<Session | null> {
      const { rows } = await pool.query<Session>(
        `SELECT ${SESSION} FROM sessions WHERE session_key = $1 AND deleted_at IS NULL`,
        [sessionKey],
      )
      return rows[0] ?? null
    },

    /** The session that someone who may use these bots means by a key; the one that has the key itself comes first. */
    async findNamed(key: string, bots: 'all' | readonly string[]): Promise<Session | null> {
      const { rows } = await pool.query<Session>(
        `WITH bot AS (SELECT uuid, created_at FROM bots WHERE $2::text[] IS NULL OR uuid = ANY ($2)),
           name AS (SELECT $1 AS key, NULL AS since UNION ALL SELECT uuid || '/' || $1, created_at FROM bot)
         SELECT ${SESSION} FROM name JOIN sessions ON sessions.session_key = name.key
         WHERE deleted_at IS NULL AND ($2::text[] IS NULL OR bot_uuid = ANY ($2))
         ORDER BY name.since NULLS FIRST LIMIT 1`,
        [key, bots === 'all' ? null : bots],
      )
      return rows[0] ?? null
    },

    /** Where this person or group is talked to on that channel, lately. */
    async findByAddress(address: ConversationKey & { channel: ChannelName }): Promise<Session | null> {
      const { rows } = await pool.query<Session>(
        `SELECT ${SESSION} FROM sessions WHERE bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3 AND channel = $4
           AND deleted_at IS NULL ORDER BY updated_at DESC LIMIT 1`,
        [address.botUuid, address.launcherType, address.launcherId, address.channel],
      )
      return rows[0] ?? null
    },

    /**
     * Opens the session if it is new; two callers at once get the same one. Bot and key together are its identity: a key
     * that another bot has is left to it, and the session lives under the next of its other keys.
     */
    async findOrCreate(session: NewSession, ...otherKeys: string[]): Promise<Session> {
      for (const sessionKey of [session.sessionKey, ...otherKeys, scopedKey(session.botUuid, session.sessionKey)]) {
        const open = () => openUnder(pool, sessionKey, session)
        const opened =
          (await open()) ??
          ((await forgetRest(pool, endings, { sessionKey, botUuid: session.botUuid })) ? await open() : null)
        if (opened) return opened
      }
      throw conflict('session_key_taken', 'another bot has a session with this key')
    },

    /** What a person may change by saying it in a request: where they are, what they speak, who answers. */
    async update(
      sessionKey: string,
      change: { timezone?: string; zoneSource?: ZoneSource; language?: Language; pipelineUuid?: string },
    ): Promise<Session | null> {
      const { rows } = await pool.query<Session>(
        // Where a person said they are counts more than where their browser or platform is.
        `UPDATE sessions SET language = coalesce($3, language), pipeline_uuid = coalesce($4, pipeline_uuid),
           timezone = CASE WHEN $2::text IS NULL OR (timezone_source = 'said' AND $5::text <> 'said') THEN timezone ELSE $2 END,
           timezone_source = CASE WHEN $2::text IS NULL OR timezone_source = 'said' THEN timezone_source ELSE $5 END
         WHERE session_key = $1 RETURNING ${SESSION}`,
        [
          sessionKey,
          change.timezone ?? null,
          change.language ?? null,
          change.pipelineUuid ?? null,
          change.zoneSource ?? 'api',
        ],
      )
      return rows[0] ?? null
    },

    async rename(sessionKey: string, title: string | null): Promise<Session | null> {
      const { rows } = await pool.query<Session>(
        `UPDATE sessions SET title = $2 WHERE session_key = $1 AND deleted_at IS NULL RETURNING ${SESSION}`,
        [sessionKey, title],
      )
      return rows[0] ?? null
    },

    /** What is over and past its time, in every table that grows. */
    prune: (kept: KeptDays, onBatch: () => void) => pruneOld(pool, endings, { kept, onBatch }),

    /** All of a bot, which speaks no more. */
    forgetBot: (botUuid: string) => forgetBot(pool, endings, botUuid),

    delete: (sessionKey: string, how: { deleteAutomations: boolean }) =>
      deleteSession(pool, endings, { sessionKey, ...how }),

    async list(filter: { bots: 'all' | readonly string[]; botUuid?: string; limit: number }): Promise<Session[]> {
      const { rows } = await pool.query<Session>(
        `SELECT ${SESSION} FROM sessions
         WHERE deleted_at IS NULL AND ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR bot_uuid = $2)
         ORDER BY updated_at DESC LIMIT $3`,
        [filter.bots === 'all' ? null : filter.bots, filter.botUuid ?? null, filter.limit],
      )
      return rows
    },
  }
}

/** Null when another bot has the key, or when the session that had it is not forgotten yet. */
async function openUnder(pool: Pool, sessionKey: string, session: NewSession): Promise<Session | null> {
  const { rows } = await pool.query<Session>(
    `INSERT INTO sessions (session_key, bot_uuid, channel, launcher_type, launcher_id, pipeline_uuid, timezone, language, title,
       timezone_source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (session_key) DO UPDATE SET ${REVIVED}, deleted_at = NULL, forgotten_at = NULL
       WHERE sessions.bot_uuid = excluded.bot_uuid AND (sessions.deleted_at IS NULL OR sessions.forgotten_at IS NOT NULL)
     RETURNING ${SESSION}`,
    [
      sessionKey,
      session.botUuid,
      session.channel,
      session.launcherType,
      session.launcherId,
      session.pipelineUuid,
      session.timezone,
      session.language,
      session.title,
      session.zoneSource ?? 'default',
    ],
  )
  return rows[0] ?? null
}

/** A key begins anew with nothing of what was said under it before. False when there is nothing to forget. */
async function forgetRest(
  pool: Pool,
  endings: SessionEndings,
  { sessionKey, botUuid }: Pick<Session, 'sessionKey' | 'botUuid'>,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT 1 FROM sessions WHERE session_key = $1 AND bot_uuid = $2 AND deleted_at IS NOT NULL',
    [sessionKey, botUuid],
  )
  if (rowCount === 0) return false
  await forgetDeleted(pool, endings, sessionKey)
  return true
}

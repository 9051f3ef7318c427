import { PLATFORM_NAMES, PLATFORMS } from '../contracts/platforms'
import type { ChannelName, JsonObject } from '../contracts/words'
import type { Database } from '../engine/database'

/** A channel of a bot whose long-lived connection is ours for a while. */
export interface LeasedChannel {
  botUuid: string
  channel: ChannelName
  settings: JsonObject
  secret: string | null
  disabledAt: Date | null
  disabledReason: string | null
  updatedAt: Date
  cursor: number | null
}

export interface ChannelHealth {
  botUuid: string
  channel: ChannelName
  /** `idle` is one that nobody holds, though somebody should. */
  health: 'ok' | 'connecting' | 'down' | 'disabled' | 'idle'
  detail: string | null
  at: Date | null
}

/** Only these are held by a worker; the others stand by themselves. */
const CONNECTED = PLATFORM_NAMES.filter((name) => PLATFORMS[name].connects)

export type ChannelLeaseStore = ReturnType<typeof createChannelLeaseStore>

/** Who holds the connection of each bot: one process at a time, by the database's clock. */
export function createChannelLeaseStore({ pool }: Database) {
  const ours = 'bot_uuid = $1 AND channel = $2 AND held_by = $3'
  return {
    /** Takes what is free and keeps what is ours; answers all that is ours now. */
    async hold(holder: string, channels: readonly ChannelName[], seconds: number): Promise<LeasedChannel[]> {
      const { rows } = await pool.query<LeasedChannel>(
        `UPDATE bot_channels SET held_by = $1, held_until = now() + make_interval(secs => $3)
         WHERE channel = ANY ($2) AND disabled_at IS NULL
           AND (held_by = $1 OR held_until IS NULL OR held_until < now())
           AND EXISTS (SELECT 1 FROM bots b WHERE b.uuid = bot_uuid AND b.deleted_at IS NULL)
         RETURNING bot_uuid, channel, settings, secret, disabled_at, disabled_reason, updated_at, cursor`,
        [holder, channels, seconds],
      )
      return rows
    },

    async release(holder: string): Promise<void> {
      await pool.query('UPDATE bot_channels SET held_by = NULL, held_until = NULL WHERE held_by = $1', [holder])
    },

    /** Only its holder speaks for a connection. */
    async setHealth(
      { botUuid, channel }: Pick<LeasedChannel, 'botUuid' | 'channel'>,
      holder: string,
      news: { health: ChannelHealth['health']; detail: string | null },
    ): Promise<void> {
      await pool.query(`UPDATE bot_channels SET health = $4, health_detail = $5, health_at = now() WHERE ${ours}`, [
        botUuid,
        channel,
        holder,
        news.health,
        news.detail?.slice(0, 300) ?? null,
      ])
    },

    async setCursor(
      { botUuid, channel }: Pick<LeasedChannel, 'botUuid' | 'channel'>,
      holder: string,
      cursor: number,
    ): Promise<void> {
      await pool.query(`UPDATE bot_channels SET cursor = $4 WHERE ${ours}`, [botUuid, channel, holder, cursor])
    },

    /** Adds to the settings without counting as a change of them. */
    async remember(
      { botUuid, channel }: Pick<LeasedChannel, 'botUuid' | 'channel'>,
      holder: string,
      fact: JsonObject,
    ): Promise<void> {
      await pool.query(`UPDATE bot_channels SET settings = settings || $4::jsonb WHERE ${ours}`, [
        botUuid,
        channel,
        holder,
        JSON.stringify(fact),
      ])
    },

    async health(botUuid?: string): Promise<ChannelHealth[]> {
      const { rows } = await pool.query<ChannelHealth>(
        `SELECT bot_uuid, channel, health_at AS at,
           CASE WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN channel <> ALL ($2) THEN 'ok'
             WHEN held_until IS NULL OR held_until < now() THEN 'idle' ELSE coalesce(health, 'connecting') END AS health,
           CASE WHEN disabled_at IS NOT NULL THEN disabled_reason ELSE health_detail END AS detail
         FROM bot_channels WHERE ($1::text IS NULL OR bot_uuid = $1)
           AND EXISTS (SELECT 1 FROM bots b WHERE b.uuid = bot_uuid AND b.deleted_at IS NULL)
         ORDER BY channel, bot_uuid LIMIT 10000`,
        [botUuid ?? null, CONNECTED],
      )
      return rows
    },
  }
}

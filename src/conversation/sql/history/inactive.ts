import type { Pool } from 'pg'
import type { InactiveConversation } from '../../history-contract'

export interface InactiveFilter {
  bots: 'all' | readonly string[]
  botUuid?: string
  inactiveHours: number
  limit: number
}

const SELECT = `SELECT bot_uuid, launcher_type, launcher_id, last_message_at FROM conversations
  WHERE last_message_at < now() - make_interval(secs => $1)`

/** Conversations that nobody has said anything in for so long, those heard of last first; from their rows, not from history. */
export async function findInactive(pool: Pool, filter: InactiveFilter): Promise<InactiveConversation[]> {
  const { bots, botUuid } = filter
  const asked = botUuid === undefined ? bots : bots === 'all' || bots.includes(botUuid) ? [botUuid] : []
  const shared = [filter.inactiveHours * 3_600, filter.limit]
  if (asked === 'all') {
    const { rows } = await pool.query<InactiveConversation>(`${SELECT} ORDER BY last_message_at DESC LIMIT $2`, shared)
    return rows
  }
  const { rows } = await pool.query<InactiveConversation>(
    `SELECT found.* FROM unnest($3::text[]) AS bot (uuid), LATERAL (
       ${SELECT} AND bot_uuid = bot.uuid ORDER BY last_message_at DESC LIMIT $2) found
     ORDER BY last_message_at DESC LIMIT $2`,
    [...shared, asked],
  )
  return rows
}

import type { Pool } from 'pg'
import { inTransaction } from '../../engine/database'
import { deleteSession } from './delete-session'
import type { SessionEndings } from './delete-session'
import { deleteInBatches } from './forget'

const SESSIONS_AT_ONCE = 100
const OF_BOT = 'bot_uuid = $1'
const OF_ITS_RUN = `run_id IN (SELECT id FROM runs WHERE ${OF_BOT})`

/** What belongs to a bot without belonging to one of its sessions; its settings on platforms with their secrets. */
const REST: [table: string, where: string][] = [
  ['message_history', OF_BOT],
  ['artifacts', OF_BOT],
  ['run_events', OF_ITS_RUN],
  ['run_steps', OF_ITS_RUN],
  ['runs', OF_BOT],
  ['automation_runs', OF_BOT],
  ['tasks', OF_BOT],
  ['conversations', OF_BOT],
  ['plugin_uses', OF_BOT],
  ['bot_channels', OF_BOT],
  ['model_usage', OF_BOT],
  ['moved_chats', OF_BOT],
  ['usage_days', `subject = 'bot:' || $1 OR starts_with(subject, 'person:' || $1 || ':')`],
]

/** Forgets everything that was said to and by a bot; begun again after a crash, it goes on where it was. */
export async function forgetBot(pool: Pool, endings: SessionEndings, botUuid: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ sessionKey: string }>(
      `SELECT session_key FROM sessions WHERE ${OF_BOT} AND deleted_at IS NULL LIMIT ${SESSIONS_AT_ONCE}`,
      [botUuid],
    )
    for (const { sessionKey } of rows) {
      await deleteSession(pool, endings, { sessionKey, deleteAutomations: true })
    }
    if (rows.length < SESSIONS_AT_ONCE) break
  }
  await inTransaction(pool, async (db) => {
    for (const end of endings.endOfBot) await end(db, botUuid)
  })
  for (const [table, where] of REST) await deleteInBatches(pool, table, where, [botUuid])
}

import type { Queryable } from '../../../engine/database'

export const OF_CONVERSATION = 'bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3'

/** The row is locked before it is asked whether messages are left: who stores one at this moment comes before or after. */
export async function forgetConversation(db: Queryable, values: string[]): Promise<void> {
  await db.query(`SELECT 1 FROM conversations WHERE ${OF_CONVERSATION} FOR UPDATE`, values)
  await db.query(
    `DELETE FROM conversations WHERE ${OF_CONVERSATION}
       AND NOT EXISTS (SELECT 1 FROM message_history WHERE ${OF_CONVERSATION})`,
    values,
  )
}

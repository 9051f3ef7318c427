import type { Pool } from 'pg'
import type { Automation } from '../../automations/contract'
import { inTransaction } from '../../engine/database'
import type { Queryable } from '../../engine/database'
import { endDeliveriesOf } from '../../engine/outgoing-line'
import type { OldRows, Words } from '../../engine/promise-kind'
import { lockSession } from '../../engine/session-writes'
import { forgetDeleted } from './forget-deleted'
import { OF_CONVERSATION } from './history/forget-conversation'
import { NEXT_FENCE } from './turn-rows'

export type DeleteOutcome = { deleted: true } | { deleted: false; automations: Automation[] }

/** What each feature does in the transaction that deletes a session or a bot; the session is locked. */
export interface SessionEndings {
  /** What keeps a session from being deleted. */
  listBlocking(db: Queryable, sessionKey: string): Promise<Automation[]>
  /** Ends all that was promised or is under way in the session. */
  endInSession: readonly ((db: Queryable, sessionKey: string) => Promise<void>)[]
  /** Ends what belongs to a bot without belonging to one of its sessions. */
  endOfBot: readonly ((db: Queryable, botUuid: string) => Promise<void>)[]
  /** What promises hold of a person's words. */
  words: readonly Words[]
  /** What is left of promises that are over, and goes when it is old. */
  old: readonly OldRows[]
}

/**
 * Deletes a conversation with all that was said and promised in it. Automations that are bound to it stop that unless they are
 * to go too; what is due later finds the session gone and ends. One short transaction decides; then everything is forgotten in
 * batches, however long the conversation was. What a crash leaves of it nobody can read, and the next prune forgets it.
 */
export async function deleteSession(
  pool: Pool,
  endings: SessionEndings,
  { sessionKey, deleteAutomations }: { sessionKey: string; deleteAutomations: boolean },
): Promise<DeleteOutcome> {
  const outcome = await inTransaction(pool, async (db): Promise<DeleteOutcome> => {
    const session = await lockSession(db, sessionKey)
    const blocking = deleteAutomations ? [] : await endings.listBlocking(db, sessionKey)
    if (blocking.length > 0) return { deleted: false, automations: blocking }
    for (const end of endings.endInSession) await end(db, sessionKey)
    await endDeliveriesOf(db, sessionKey)
    await db.query(
      `UPDATE sessions SET deleted_at = now(), forgotten_at = NULL, ${NEXT_FENCE} WHERE session_key = $1`,
      [sessionKey],
    )
    // Who has no other session could never see their tasks again.
    await db.query(
      `DELETE FROM tasks WHERE ${OF_CONVERSATION}
         AND NOT EXISTS (SELECT 1 FROM sessions WHERE ${OF_CONVERSATION} AND deleted_at IS NULL)`,
      [session.botUuid, session.launcherType, session.launcherId],
    )
    return { deleted: true }
  })
  if (outcome.deleted) await forgetDeleted(pool, endings, sessionKey)
  return outcome
}

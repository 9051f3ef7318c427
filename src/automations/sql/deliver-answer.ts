import type { Pool } from 'pg'
import type { Automation } from '../contract'
import { automationDeliveryRef } from '../contract'
import type { AnswerType, JsonValue } from '../../contracts/words'
import { inTransaction } from '../../engine/database'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../../engine/session-writes'
import { AUTOMATION } from './rows'

export interface UndeliveredAnswer {
  runId: string
  automation: Automation
  content: string
  type: AnswerType
  payload: JsonValue | null
}

/** The answer of an imported job that is to be sent and about which nothing was decided yet. */
export async function findUndelivered(pool: Pool, runId: string): Promise<UndeliveredAnswer | null> {
  const { rows } = await pool.query<Automation & Omit<UndeliveredAnswer, 'runId' | 'automation'>>(
    `SELECT ${AUTOMATION}, m.message_content AS content, m.type, m.payload FROM automation_runs r
     JOIN automations ON automations.id = r.automation_id JOIN message_history m ON m.id = r.message_id
     WHERE r.id = $1 AND r.state = 'succeeded' AND r.error IS NULL AND automations.legacy ->> 'deliver' = 'true'
       AND NOT EXISTS (SELECT 1 FROM message_history sent WHERE sent.source_ref = $2)`,
    [runId, automationDeliveryRef(runId)],
  )
  if (!rows[0]) return null
  const { content, type, payload, ...automation } = rows[0]
  return { runId, automation, content, type, payload }
}

/** Sends it into its target's session. False when that was done before: one message a run, whoever asks how often. */
export function deliverAnswer(pool: Pool, sessionKey: string, answer: UndeliveredAnswer): Promise<boolean> {
  const { runId, automation, content, type, payload } = answer
  const sourceRef = automationDeliveryRef(runId)
  return inTransaction(pool, async (db) => {
    const session = await lockSession(db, sessionKey)
    const { rowCount } = await db.query('SELECT 1 FROM message_history WHERE source_ref = $1', [sourceRef])
    if (rowCount) return false
    const sent = await insertMessage(db, session, {
      role: 'assistant',
      senderId: session.botUuid,
      content,
      type,
      payload,
      sourceRef,
      sourceKind: 'automation',
      metadata: { automation_id: automation.id, automation_name: automation.name, automation_run_id: runId },
    })
    await appendEvents(db, session.sessionKey, [messageEvent(sent)])
    return true
  })
}

/** Why the person got nothing although the run succeeded. The first word stands. */
export async function recordUndelivered(pool: Pool, runId: string, why: 'withheld' | 'no_target'): Promise<void> {
  await pool.query(`UPDATE automation_runs SET error = $2 WHERE id = $1 AND state = 'succeeded' AND error IS NULL`, [
    runId,
    why,
  ])
}

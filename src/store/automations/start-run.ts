import type { Pool } from 'pg'
import type { Automation, PromptRef } from '../../contracts/automation'
import { automationRunRef } from '../../contracts/automation'
import type { Session } from '../../contracts/session'
import type { JsonObject } from '../../contracts/words'
import { closeTurnsWithoutHolder } from '../close-turn'
import type { Queryable } from '../database'
import { inTransaction } from '../database'
import { appendEvents, lockSession } from '../session-writes'
import { storableJson, storableText } from '../storable'
import { firstOpenTurn, isOpen, startTurn } from '../start-turn'
import type { Claim } from '../start-turn'
import { cancelQueuedRuns } from './cancel-runs'
import { automationRunEvent, toAutomation } from './rows'
import type { AutomationRow, AutomationRunRow } from './rows'

/** What the model will be told and what the person will read, made when the turn starts. */
export interface PreparedRun {
  trigger: string
  rendered: string
  variables: JsonObject
  promptRef: PromptRef
}

export interface RunClaim {
  runId: string
  sessionKey: string
  turnId: string
  holder: string
  prepare(automation: Automation, session: Session): PreparedRun
}

/** The run's place in the queue has come: trigger, turn and run start in one transaction, unless it was called off. */
export function startRun(pool: Pool, claim: RunClaim): Promise<Claim> {
  return inTransaction(pool, async (db): Promise<Claim> => {
    const session = await lockSession(db, claim.sessionKey)
    await closeTurnsWithoutHolder(db, session, claim.turnId)
    const head = await firstOpenTurn(db, claim.sessionKey)
    if (head?.id !== claim.turnId) return (await isOpen(db, claim.turnId)) ? { state: 'waiting' } : { state: 'gone' }
    if (head.holder !== claim.holder) return { state: 'gone' }
    if (head.status === 'running') return { state: 'waiting' }
    const automation = await findLive(db, claim.runId)
    if (!automation) return callOff(db, claim)
    const prepared = claim.prepare(toAutomation(automation), session)
    const started = await startTurn(db, session, head, {
      role: 'user',
      senderId: 'automation',
      content: prepared.trigger,
      sourceKind: 'automation',
      sourceRef: automationRunRef(claim.runId),
      metadata: {
        _automation_turn: true,
        ...head.input.metadata,
        automation_prompt_ref: { ...prepared.promptRef },
      },
    })
    await appendEvents(db, claim.sessionKey, [
      automationRunEvent(await markRunning(db, claim.runId, prepared), automation.name),
    ])
    return started
  })
}

async function findLive(db: Queryable, runId: string): Promise<AutomationRow | undefined> {
  const { rows } = await db.query<AutomationRow>(
    `SELECT a.* FROM automations a JOIN automation_runs r ON r.automation_id = a.id
     WHERE r.id = $1 AND r.state = 'queued' AND a.deleted_at IS NULL AND a.state = 'active' FOR UPDATE`,
    [runId],
  )
  return rows[0]
}

async function callOff(db: Queryable, { runId, sessionKey }: RunClaim): Promise<Claim> {
  const { rows } = await db.query<AutomationRunRow>('SELECT * FROM automation_runs WHERE id = $1', [runId])
  const events = rows[0] ? await cancelQueuedRuns(db, rows[0].automation_id, 'called off') : []
  if (events.length > 0) await appendEvents(db, sessionKey, events)
  return { state: 'gone' }
}

async function markRunning(db: Queryable, runId: string, prepared: PreparedRun): Promise<AutomationRunRow> {
  const { rows } = await db.query<AutomationRunRow>(
    `UPDATE automation_runs SET state = 'running', started_at = now(), prompt_ref = $2, rendered_prompt = $3, variables = $4,
       late_by_ms = least(2147483647, greatest(0, round(1000 * extract(epoch FROM now() - scheduled_at))))
     WHERE id = $1 RETURNING *`,
    [runId, storableJson(prepared.promptRef), storableText(prepared.rendered), storableJson(prepared.variables)],
  )
  return rows[0]!
}

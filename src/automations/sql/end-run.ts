import { FAILURES_BEFORE_PAUSE } from '../contract'
import { languageOfPerson } from '../../contracts/language'
import type { AutomationRun, AutomationRunState } from '../contract'
import { describeAutoPause } from '../texts'
import type { Session } from '../../conversation/session'
import type { Queryable } from '../../engine/database'
import { insertMessage, messageEvent } from '../../engine/session-writes'
import type { NewEvent } from '../../engine/session-writes'
import { storableText } from '../../engine/storable'
import { AUTOMATION, AUTOMATION_RUN, automationEvent, automationRunEvent } from './rows'
import type { AutomationRow } from './rows'
import { tellSchedule } from './tell-schedule'

export interface RunEnding {
  turnId: string
  state: Extract<AutomationRunState, 'succeeded' | 'empty' | 'failed' | 'cancelled'>
  error: string | null
  errorDetail?: string
  messageId: number | null
}

/**
 * Ends the run of a turn in the turn's own transaction, and the automation with it when nothing more can come. A run that
 * never began is not counted.
 */
export async function endRunOfTurn(db: Queryable, session: Session, ending: RunEnding): Promise<NewEvent[]> {
  const { rows } = await db.query<AutomationRun>(
    `UPDATE automation_runs SET state = $2, error = $3, message_id = $4, error_detail = $5, ended_at = now()
     WHERE turn_id = $1 AND state IN ('queued', 'running') RETURNING ${AUTOMATION_RUN}`,
    [ending.turnId, ending.state, ending.error, ending.messageId, storableText(ending.errorDetail ?? '') || null],
  )
  const run = rows[0]
  if (!run) return []
  const automation = run.startedAt === null ? await findAutomationRow(db, run.automationId) : await countRun(db, run)
  if (!automation) return []
  const events = [automationRunEvent(run, automation.name)]
  if (automation.deletedAt || automation.state === automation.before) return events
  await tellSchedule(db, automation.id)
  if (automation.state === 'auto_paused') events.push(await noteAutoPause(db, session, automation))
  return [...events, automationEvent(automation)]
}

type Counted = AutomationRow & { before: AutomationRow['state'] }

async function findAutomationRow(db: Queryable, id: string): Promise<Counted | undefined> {
  const { rows } = await db.query<Counted>(
    `SELECT ${AUTOMATION}, deleted_at, state AS before FROM automations WHERE id = $1`,
    [id],
  )
  return rows[0]
}

async function countRun(db: Queryable, run: AutomationRun): Promise<Counted | undefined> {
  const { rows } = await db.query<Counted>(
    `WITH before AS (SELECT * FROM automations WHERE id = $1 FOR UPDATE), counted AS (
       SELECT id, state AS before, runs_count + 1 AS runs,
         CASE WHEN $2 = 'failed' THEN failures_in_row + 1 WHEN $2 = 'cancelled' THEN failures_in_row ELSE 0 END AS failures,
         next_run_at IS NULL OR runs_count + 1 >= max_runs AS is_over
       FROM before
     ), verdict AS (
       SELECT *, CASE WHEN before <> 'active' THEN before WHEN is_over THEN 'ended'
         WHEN failures >= $3 THEN 'auto_paused' ELSE before END AS after FROM counted
     )
     UPDATE automations SET runs_count = v.runs, failures_in_row = v.failures, state = v.after, updated_at = now(),
       state_reason = CASE WHEN v.after = v.before THEN automations.state_reason WHEN v.after = 'ended' THEN 'its last run is over'
         ELSE $3 || ' failures in a row' END,
       next_run_at = CASE WHEN v.after = 'ended' THEN NULL ELSE automations.next_run_at END,
       version = automations.version + CASE WHEN v.after = v.before THEN 0 ELSE 1 END
     FROM verdict v WHERE automations.id = v.id RETURNING ${AUTOMATION}, automations.deleted_at, v.before`,
    [run.automationId, run.state, FAILURES_BEFORE_PAUSE],
  )
  return rows[0]
}

async function noteAutoPause(db: Queryable, session: Session, automation: Counted): Promise<NewEvent> {
  const { name, failuresInRow: failures } = automation
  const content = describeAutoPause(name, failures, languageOfPerson(session, automation))
  const note = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content,
    sourceKind: 'automation',
    metadata: { automation_id: automation.id, automation_name: name, automation_note: 'auto_paused' },
  })
  return messageEvent(note)
}

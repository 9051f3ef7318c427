import { FAILURES_BEFORE_PAUSE } from '../../contracts/automation'
import type { AutomationRunState } from '../../contracts/automation'
import type { Session } from '../../contracts/session'
import type { Queryable } from '../database'
import { insertMessage, messageEvent } from '../session-writes'
import type { NewEvent } from '../session-writes'
import { automationEvent, automationRunEvent } from './rows'
import type { AutomationRow, AutomationRunRow } from './rows'
import { tellSchedule } from './tell-schedule'

export interface RunEnding {
  turnId: string
  state: Extract<AutomationRunState, 'succeeded' | 'empty' | 'failed' | 'cancelled'>
  error: string | null
  messageId: number | null
}

/** Ends the run of a turn in the turn's own transaction, and the automation with it when nothing more can come. */
export async function endRunOfTurn(db: Queryable, session: Session, ending: RunEnding): Promise<NewEvent[]> {
  const { rows } = await db.query<AutomationRunRow>(
    `UPDATE automation_runs SET state = $2, error = $3, message_id = $4, ended_at = now()
     WHERE turn_id = $1 AND state = 'running' RETURNING *`,
    [ending.turnId, ending.state, ending.error, ending.messageId],
  )
  const run = rows[0]
  if (!run) return []
  const automation = await countRun(db, run)
  if (!automation) return []
  const events = [automationRunEvent(run, automation.name)]
  if (automation.deleted_at || automation.state === automation.before) return events
  await tellSchedule(db, automation.id)
  if (automation.state === 'auto_paused') events.push(await noteAutoPause(db, session, automation))
  return [...events, automationEvent(automation)]
}

type Counted = AutomationRow & { before: AutomationRow['state'] }

async function countRun(db: Queryable, run: AutomationRunRow): Promise<Counted | undefined> {
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
     UPDATE automations a SET runs_count = v.runs, failures_in_row = v.failures, state = v.after, updated_at = now(),
       state_reason = CASE WHEN v.after = v.before THEN a.state_reason WHEN v.after = 'ended' THEN 'its last run is over'
         ELSE $3 || ' failures in a row' END,
       next_run_at = CASE WHEN v.after = 'ended' THEN NULL ELSE a.next_run_at END,
       version = a.version + CASE WHEN v.after = v.before THEN 0 ELSE 1 END
     FROM verdict v WHERE a.id = v.id RETURNING a.*, v.before`,
    [run.automation_id, run.state, FAILURES_BEFORE_PAUSE],
  )
  return rows[0]
}

async function noteAutoPause(db: Queryable, session: Session, automation: Counted): Promise<NewEvent> {
  const { name, language, failures_in_row: failures } = automation
  const content =
    (session.language ?? language) === 'zh'
      ? `自动任务「${name}」连续失败 ${failures} 次，已暂停。需要时请重新启用。`
      : `The automation "${name}" failed ${failures} times in a row and is paused. Enable it again when it is mended.`
  const note = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content,
    sourceKind: 'automation',
    metadata: { automation_id: automation.id, automation_name: name, automation_note: 'auto_paused' },
  })
  return messageEvent(note)
}

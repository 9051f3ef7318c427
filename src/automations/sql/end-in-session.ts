import type { Automation } from '../contract'
import { categoryOf } from '../category'
import { cancelWorkflows } from '../../engine/outbox-store'
import type { Queryable } from '../../engine/database'
import { AUTOMATION } from './rows'
import { tellSchedule } from './tell-schedule'

/** The automations that are bound to a session, and so keep it from being deleted. */
export async function listBlockingAutomations(db: Queryable, sessionKey: string): Promise<Automation[]> {
  const { rows } = await db.query<Automation>(
    `SELECT ${AUTOMATION} FROM automations WHERE session_key = $1 AND deleted_at IS NULL ORDER BY created_at FOR UPDATE`,
    [sessionKey],
  )
  return rows.filter((each) => each.state !== 'ended' && categoryOf(each) === 'bound')
}

/** Deletes the automations of a session with their runs. */
export async function deleteAutomationsOf(db: Queryable, sessionKey: string): Promise<void> {
  await deleteTelling(db, 'session_key = $1', sessionKey)
  const { rows: open } = await db.query<{ workflowId: string | null; state: string }>(
    'DELETE FROM automation_runs WHERE session_key = $1 RETURNING workflow_id, state',
    [sessionKey],
  )
  const workflows = open.flatMap(({ workflowId: id, state }) =>
    id && ['queued', 'running'].includes(state) ? [id] : [],
  )
  await cancelWorkflows(db, workflows)
}

/** Deletes the automations of a bot that no session holds any more. */
export const deleteAutomationsOfBot = (db: Queryable, botUuid: string) => deleteTelling(db, 'bot_uuid = $1', botUuid)

async function deleteTelling(db: Queryable, where: string, value: string): Promise<void> {
  const { rows } = await db.query<{ id: string }>(`DELETE FROM automations WHERE ${where} RETURNING id`, [value])
  for (const { id } of rows) await tellSchedule(db, id)
}

import { automationRunWorkflowId, automationScheduleId } from './contract'
import { AUTOMATION_RUN_WORKFLOW, KIND_AUTOMATION, KIND_AUTOMATION_RUN } from '../contracts/temporal'
import { PROMISE_STATES } from './sql/rows'
import { stopRun } from './sql/stop-run'
import { SUMMARY_CHARACTERS } from '../engine/promise-kind'
import type { PromiseKind } from '../engine/promise-kind'
import { SYNC_AUTOMATION } from './sql/tell-schedule'

/** How the stream and the list call a state, from the one table of names. */
const STATE_IN_LIST = `CASE %s ${Object.entries(PROMISE_STATES)
  .map(([state, shown]) => `WHEN '${state}' THEN '${shown}'`)
  .join(' ')} END`
const stateOf = (column: string) => STATE_IN_LIST.replace('%s', column)

/** Slots of automations. Temporal's Schedule starts their workflows; only a lost one is started by us, under its old id. */
export const AUTOMATION_RUNS: PromiseKind = {
  kind: KIND_AUTOMATION_RUN,
  workflowType: AUTOMATION_RUN_WORKFLOW,
  prefix: automationRunWorkflowId(''),
  table: 'automation_runs',
  idType: 'text',
  sessionColumn: 'session_key',
  workflowColumn: 'workflow_id',
  dueAt: 'p.scheduled_at',
  about: 'p.automation_id::text',
  open: `p.state IN ('queued', 'running')`,
  wanted: `p.state IN ('queued', 'running')`,
  stale: `p.queued_at < now() - interval '1 minute'`,
  start: ({ dueAt, about: automationId }) => ({
    args: { automationId, slotMs: dueAt!.getTime() },
    summary: 'Automation, started again',
  }),
  giveUp: (pool, id, { state, reason }) => stopRun(pool, id, { state, error: reason }),
  words: [
    { table: 'automations', where: 't.session_key = ANY ($1) AND t.deleted_at IS NOT NULL' },
    {
      // That its slot was run is still needed.
      table: 'automation_runs',
      where: `t.session_key = ANY ($1) AND t.state NOT IN ('queued', 'running')
        AND (t.rendered_prompt IS NOT NULL OR t.variables IS NOT NULL OR t.error IS NOT NULL OR t.error_detail IS NOT NULL)`,
      set: `rendered_prompt = NULL, variables = NULL, error = NULL, error_detail = NULL`,
    },
  ],
  old: [
    {
      table: 'automation_runs',
      kept: 'promises',
      where: `t.queued_at < $1 AND t.scheduled_at < $1 AND t.state NOT IN ('queued', 'running')`,
    },
  ],
  promise: `
    SELECT '${KIND_AUTOMATION_RUN}', r.id, r.session_key, r.bot_uuid, r.scheduled_at, ${stateOf('r.state')},
      left(a.name, ${SUMMARY_CHARACTERS}), coalesce(r.workflow_id, '${automationRunWorkflowId('')}' || r.automation_id),
      r.late_by_ms
    FROM automation_runs r JOIN automations a ON a.id = r.automation_id`,
}

/** An automation promises its next run. While its last run waits or is under way there is none: that run is the promise. */
export const AUTOMATION_PROMISE = `
  SELECT '${KIND_AUTOMATION}', id::text, session_key, bot_uuid, coalesce(next_run_at, updated_at), ${stateOf('state')},
    left(name, ${SUMMARY_CHARACTERS}), '${automationScheduleId('')}' || id, NULL
  FROM automations WHERE deleted_at IS NULL AND (state <> 'active' OR next_run_at IS NOT NULL)`

/** When the next runs of automations are due. */
export const AUTOMATIONS_PENDING = `SELECT '${KIND_AUTOMATION}' AS kind, next_run_at AS due_at FROM automations
  WHERE deleted_at IS NULL AND state = 'active' AND next_run_at IS NOT NULL`

/** Automations whose schedules Temporal must have. */
export const AUTOMATIONS_WANTED = `SELECT '${SYNC_AUTOMATION}', id::text FROM automations WHERE deleted_at IS NULL AND state <> 'ended'`

import { runWorkflowId } from './contract'
import { KIND_RUN, RUN_WORKFLOW } from '../contracts/temporal'
import { cancelRun } from './sql/end'
import { SUMMARY_CHARACTERS } from '../engine/promise-kind'
import type { OldRows, PromiseKind } from '../engine/promise-kind'

/** What hangs on a run. */
const PARTS = ['artifacts', 'run_events', 'run_steps']

/** Plans of plugin steps. The promise is the feedback of each step that has a time for it. */
export const RUNS: PromiseKind = {
  kind: KIND_RUN,
  workflowType: RUN_WORKFLOW,
  prefix: runWorkflowId(''),
  table: 'runs',
  idType: 'uuid',
  sessionColumn: 'session_key',
  followsReader: true,
  dueAt: `(SELECT min(s.feedback_at) FROM run_steps s WHERE s.run_id = p.id)`,
  about: `(SELECT string_agg(s.ai_name, ', ' ORDER BY s.step_index) FROM run_steps s WHERE s.run_id = p.id)`,
  open: `p.status = 'running'`,
  wanted: `p.status = 'running'`,
  stale: `p.created_at < now() - interval '1 minute'`,
  start: ({ id, dueAt, about: plugins }) => ({
    args: { id },
    summary: `Plugin run: ${plugins.slice(0, 100)}${dueAt ? `, feedback due ${dueAt.toISOString()}` : ''}`,
  }),
  giveUp: (pool, id, { reason }) => cancelRun(pool, id, { reason, workflowKnows: true }),
  words: [
    ...PARTS.map((table) => ({
      table,
      where: `t.run_id IN (SELECT id FROM runs WHERE session_key = ANY ($1) AND status <> 'running')`,
    })),
    { table: 'runs', where: `t.session_key = ANY ($1) AND t.status <> 'running'` },
  ],
  old: [
    { table: 'artifacts', kept: 'promises', where: 't.created_at < $1' },
    ...['run_events', 'run_steps'].map((table): OldRows => ({
      table,
      kept: 'promises',
      where: `t.run_id IN (SELECT id FROM runs WHERE created_at < $1 AND status <> 'running')`,
    })),
    { table: 'runs', kept: 'promises', where: `t.created_at < $1 AND t.status <> 'running'` },
  ],
  promise: `
    SELECT '${KIND_RUN}', r.id::text, r.session_key, r.bot_uuid, s.feedback_at,
      CASE WHEN r.status = 'cancelled' THEN 'cancelled' WHEN s.status <> 'reported' THEN 'pending'
        WHEN (s.result ->> 'success')::boolean THEN 'sent' ELSE 'failed' END,
      left(coalesce(s.reason, s.ai_name), ${SUMMARY_CHARACTERS}), '${runWorkflowId('')}' || r.id, s.late_by_ms
    FROM runs r JOIN run_steps s ON s.run_id = r.id WHERE s.feedback_at IS NOT NULL`,
  pending: `SELECT s.feedback_at AS due_at FROM runs p JOIN run_steps s ON s.run_id = p.id
    WHERE p.status = 'running' AND s.feedback_at IS NOT NULL AND s.status NOT IN ('reported', 'skipped')`,
}

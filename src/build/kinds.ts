import { AUTOMATIONS_PENDING, AUTOMATIONS_WANTED, AUTOMATION_PROMISE, AUTOMATION_RUNS } from '../automations'
import { DELIVERIES, INBOUND } from '../channels'
import { SCHEDULED_MESSAGES } from '../reminders'
import { RUNS } from '../runs'
import type { PromiseKind } from '../engine/promise-kind'

/** The table of promise kinds: whoever starts, repairs or lists promises walks it. */
export const KINDS: readonly PromiseKind[] = [SCHEDULED_MESSAGES, RUNS, DELIVERIES, INBOUND, AUTOMATION_RUNS]

/** What Temporal must be told of besides: the schedules of automations. */
export const WANTED_TOO = [AUTOMATIONS_WANTED]

/** The rows of all kinds in the one list of promises. A filter reaches into each part and uses its own index. */
export const EVERY_PROMISE = [...KINDS.flatMap(({ promise }) => promise ?? []), AUTOMATION_PROMISE].join(
  '\n  UNION ALL',
)

/** When everything that is still promised is due, by kind; it reads the open rows alone. */
export const PENDING_PROMISES = [
  ...KINDS.filter(({ promise }) => promise !== undefined).map(
    ({ kind, table, open, dueAt, pending = `SELECT ${dueAt} AS due_at FROM ${table} p WHERE ${open}` }) =>
      `SELECT '${kind}' AS kind, due_at FROM (${pending}) of_kind`,
  ),
  AUTOMATIONS_PENDING,
].join('\n  UNION ALL ')

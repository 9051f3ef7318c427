import { AUTOMATIONS_WANTED, AUTOMATION_PROMISE, AUTOMATION_RUNS } from '../automations'
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

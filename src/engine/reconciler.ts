import type { Logger } from 'pino'
import type { EventStore } from './event-store'
import type { TurnStore } from '../conversation/sql/turn-store'
import { createIsolation } from './each-alone'
import type { EachAlone } from './each-alone'
import type { OutboxDispatcher } from './outbox-dispatcher'
import { createKindReconciler } from './reconcile-kinds'
import type { ReconcileKindsParts } from './reconcile-kinds'
import { noticeLostMemory } from './temporal/temporal-incarnation'

const BATCH = 500
const PRUNED = 10_000
const EVENTS_KEPT_DAYS = 7

/** What one pass repaired; `failures` are rows and steps that it could not look after. */
export interface Repairs {
  turnsClosed: number
  told: number
  restarted: number
  cancelled: number
  failed: number
  workflowsEnded: number
  automationsChanged: number
  slotsMissed: number
  failures: number
}

/** What a feature does in each pass; it answers how many things it repaired. */
export interface ReconcilerStep {
  name: string
  /** Which of the repairs its answer is counted as. */
  repairs?: 'automationsChanged' | 'slotsMissed'
  run(each: EachAlone): Promise<number>
}

export interface ReconcilerParts extends ReconcileKindsParts {
  turns: Pick<TurnStore, 'closeExpired'>
  /** In this order, before Temporal is told what waits in the outbox. */
  steps: readonly ReconcilerStep[]
  events: EventStore
  dispatcher: OutboxDispatcher
  logger: Logger
  metrics: { reconcilerFailed(step: string): void }
}

export type Reconciler = () => Promise<Repairs>

/**
 * One pass over everything a crash, an operator or a lost database may have left half done. Each step is bounded, and each
 * step and each row stands alone: what cannot be looked after stops nothing else.
 */
export function createReconciler(parts: ReconcilerParts): Reconciler {
  let failures = 0
  const { step } = createIsolation(parts.logger, (name) => {
    failures++
    parts.metrics.reconcilerFailed(name)
  })
  return async () => {
    failures = 0
    const settled = { restarted: 0, cancelled: 0, failed: 0 }
    const rows = createKindReconciler(parts, settled)
    const turnsClosed = await step('turns', () => parts.turns.closeExpired(BATCH))
    await step('lost_memory', () => noticeLostMemory(parts))
    for (const kind of parts.kinds.all) {
      await step(`${kind.kind}.deleted_sessions`, (each) => rows.inDeletedSessions(kind, each))
      await step(`${kind.kind}.stale`, (each) => rows.stale(kind, each))
    }
    await step('broken', (each) => rows.broken(each))
    const repaired = { automationsChanged: 0, slotsMissed: 0 }
    for (const { name, repairs, run } of parts.steps) {
      const count = await step(name, run)
      if (repairs) repaired[repairs] += count
    }
    const told = await step('outbox', () => parts.dispatcher.drain())
    const workflowsEnded = await step('useless', (each) => rows.useless(each))
    await step('prune_events', () => counted(parts.events.prune(EVENTS_KEPT_DAYS, PRUNED)))
    return { turnsClosed, told, ...settled, workflowsEnded, ...repaired, failures }
  }
}

const counted = (work: Promise<unknown>) => work.then(() => 0)

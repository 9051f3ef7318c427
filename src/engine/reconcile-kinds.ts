import type { KindStore, KeptRow } from './kind-store'
import type { Ending, PromiseKind } from './promise-kind'
import type { MarkStore } from './mark-store'
import type { OutboxStore } from './outbox-store'
import type { EachAlone } from './each-alone'
import { startOf } from './promise-kind'
import type { Scheduler, WorkflowState } from './temporal/temporal-scheduler'

/** Rows of a kind that one pass asks Temporal about. */
const STALE_AT_ONCE = 300
const BROKEN_AT_ONCE = 20_000
const OPEN_AT_ONCE = 2_000
const DELETED_AT_ONCE = 500
const PAST_DUE_MS = 60_000
/** Visibility lags behind, so every pass looks back over the passes before it. */
const LOOK_BACK_MS = 10 * 60_000
const BROKEN_MARK = 'workflows.broken_seen_until'

/** What one pass did to rows of all kinds. */
export interface Settled {
  restarted: number
  cancelled: number
  failed: number
}

export interface ReconcileKindsParts {
  kinds: KindStore
  outbox: OutboxStore
  marks: MarkStore
  scheduler: Scheduler
  clock: { now(): Promise<Date> }
}

/** The one rule: what becomes of a row, by how its workflow stands. Null when it is left alone. */
function verdict(state: WorkflowState): 'restart' | Ending | null {
  switch (state) {
    case 'open':
      return null
    case 'not_found':
      return 'restart'
    case 'terminated':
    case 'cancelled':
      return { state: 'cancelled', reason: `${state} by operator` }
    case 'completed':
      return { state: 'failed', reason: 'the workflow ended without keeping it' }
    case 'failed':
    case 'timed_out':
      return { state: 'failed', reason: `the workflow ${state.replace('_', ' ')}` }
  }
}

/** Applies the rule to the rows that the steps below find. */
export function createKindReconciler(parts: ReconcileKindsParts, settled: Settled) {
  const { kinds, outbox, marks, scheduler, clock } = parts

  async function giveUp(kind: PromiseKind, id: string, ending: Ending): Promise<number> {
    if (!(await kinds.giveUp(kind, id, ending))) return 0
    settled[ending.state]++
    return 1
  }

  async function settle(kind: PromiseKind, row: KeptRow, state: WorkflowState): Promise<number> {
    const ending = verdict(state)
    if (ending === null) return 0
    if (ending !== 'restart') return giveUp(kind, row.id, ending)
    if (!(await outbox.requeue(startOf(kind.kind), row.id))) return 0
    settled.restarted++
    return 1
  }

  return {
    /** Rows whose workflow should be at work: Temporal says whether it is. Goes on where the pass before ended. */
    async stale(kind: PromiseKind, eachAlone: EachAlone): Promise<number> {
      const mark = `${kind.kind}.looked_until`
      const rows = await kinds.stale(kind, await marks.readText(mark), STALE_AT_ONCE)
      await marks.writeText(mark, rows.length < STALE_AT_ONCE ? null : rows.at(-1)!.id)
      // A row that never had a workflow is one whose workflow kept nothing.
      const stateOf = (id: string | null) =>
        id === null ? Promise.resolve('completed' as const) : scheduler.stateOf(id)
      return eachAlone(
        rows,
        ({ id }) => id,
        async (row) => settle(kind, row, await stateOf(row.workflowId)),
      )
    },

    /** Workflows that an operator ended, or that broke, although their promise may not be due yet. */
    async broken(eachAlone: EachAlone): Promise<number> {
      const now = await clock.now()
      const seen = (await marks.readTime(BROKEN_MARK)) ?? now
      const since = new Date(Math.min(seen.getTime(), now.getTime()) - LOOK_BACK_MS)
      const broken = await scheduler.listBroken(kinds.all, since, BROKEN_AT_ONCE)
      const states = new Map(broken.map(({ workflowId, state }) => [workflowId, state]))
      let sum = 0
      for (const kind of kinds.all) {
        const rows = await kinds.open(kind, [...states.keys()])
        sum += await eachAlone(
          rows,
          ({ id }) => id,
          (row) => settle(kind, row, states.get(row.workflowId ?? '') ?? 'open'),
        )
      }
      await marks.writeTime(BROKEN_MARK, now)
      return sum
    },

    /** What was promised in a conversation that is deleted is nobody's any more. */
    async inDeletedSessions(kind: PromiseKind, eachAlone: EachAlone): Promise<number> {
      const rows = await kinds.inDeletedSessions(kind, DELETED_AT_ONCE)
      const ending = { state: 'cancelled', reason: 'session deleted' } as const
      return eachAlone(
        rows,
        ({ id }) => id,
        async (row) => {
          const ended = await giveUp(kind, row.id, ending)
          if (ended && row.workflowId !== null) await scheduler.cancelWorkflow(row.workflowId)
          return ended
        },
      )
    },

    /** Open workflows whose row is over: a cancel that Temporal never heard of. */
    async useless(eachAlone: EachAlone): Promise<number> {
      const due = new Date((await clock.now()).getTime() - PAST_DUE_MS)
      const open = (await scheduler.listOpenPastDue(kinds.all, due, OPEN_AT_ONCE)).map(({ workflowId }) => workflowId)
      const over = (await Promise.all(kinds.all.map((kind) => kinds.over(kind, open)))).flat()
      return eachAlone(
        over,
        ({ id }) => id,
        async ({ workflowId }) => {
          await scheduler.cancelWorkflow(workflowId!)
          return 1
        },
      )
    },
  }
}

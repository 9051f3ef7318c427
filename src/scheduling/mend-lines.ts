import { deliveryWorkflowId } from '../contracts/delivery'
import { inboundWorkflowId } from '../contracts/inbound'
import type { DeliveryStore } from '../store/deliveries'
import type { InboundStore } from '../store/inbound'
import type { OutboxStore } from '../store/outbox-store'
import type { Scheduler, WorkflowState } from './scheduler'

/** What stands first in the line of its session for that long is looked after: its workflow should be there. */
const STALE_SECONDS = 60
const BATCH = 200

export interface MendLinesParts {
  deliveries: DeliveryStore
  inbound: InboundStore
  outbox: OutboxStore
  scheduler: Scheduler
}

/** Things of a session that go one after the other; the end of one starts the next. */
interface Line {
  kind: 'start_delivery' | 'start_inbound'
  workflowId(id: string): string
  listStale(ageSeconds: number, limit: number): Promise<string[]>
  giveUp(id: string, reason: string): Promise<boolean>
}

type Mended = { restarted: number; failed: number }

/** Messages on their way out and in whose workflow was lost, ended by an operator, or broke. */
export async function mendLines(parts: MendLinesParts, broken: ReadonlyMap<string, WorkflowState>): Promise<Mended> {
  const { deliveries, inbound } = parts
  const mended: Mended = { restarted: 0, failed: 0 }
  await mendLine(parts, { ...deliveries, kind: 'start_delivery', workflowId: deliveryWorkflowId }, broken, mended)
  const answers = { ...inbound, giveUp: inbound.end, kind: 'start_inbound', workflowId: inboundWorkflowId } as const
  await mendLine(parts, answers, broken, mended)
  return mended
}

async function mendLine(
  parts: MendLinesParts,
  line: Line,
  broken: ReadonlyMap<string, WorkflowState>,
  mended: Mended,
): Promise<void> {
  for (const id of await line.listStale(STALE_SECONDS, BATCH)) {
    await mend(parts, line, id, { state: await parts.scheduler.stateOf(line.workflowId(id)), mended })
  }
  const prefix = line.workflowId('')
  for (const [workflowId, state] of broken) {
    if (workflowId.startsWith(prefix)) await mend(parts, line, workflowId.slice(prefix.length), { state, mended })
  }
}

async function mend(
  { outbox }: MendLinesParts,
  line: Line,
  id: string,
  { state, mended }: { state: WorkflowState; mended: Mended },
): Promise<void> {
  if (state === 'open') return
  if (state === 'not_found') {
    await outbox.requeue(line.kind, id)
    mended.restarted++
    return
  }
  const byOperator = state === 'terminated' || state === 'cancelled'
  const reason = byOperator ? `${state} by operator` : `the workflow ended: ${state}`
  if (await line.giveUp(id, reason)) mended.failed++
}

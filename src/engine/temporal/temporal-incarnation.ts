import type { Logger } from 'pino'
import type { MarkStore } from '../mark-store'
import type { OutboxStore } from '../outbox-store'
import type { Scheduler } from './temporal-scheduler'

const LAST_RUN = 'temporal.last_heartbeat'
const GENERATION = 'temporal.generation'

export interface IncarnationParts {
  scheduler: Scheduler
  marks: MarkStore
  outbox: OutboxStore
  logger: Logger
}

/** How often Temporal has lost what it knew. What was seen in an earlier generation says nothing about this one. */
export const readGeneration = async (marks: MarkStore) => Number((await marks.readText(GENERATION)) ?? 0)

/**
 * A Temporal that does not know the heartbeat that the pass before saw was restored from an older copy, or lost its data:
 * all that is pending is told again, and what is absent there was taken away by nobody. Answers how much is told again.
 */
export async function noticeLostMemory({ scheduler, marks, outbox, logger }: IncarnationParts): Promise<number> {
  const heartbeat = await scheduler.heartbeat()
  if (!heartbeat) return 0
  const before = readRun(await marks.readText(LAST_RUN))
  const forgotten = before !== null && (await scheduler.stateOf(before.workflowId, before.runId)) === 'not_found'
  let requeued = 0
  if (forgotten) {
    await marks.writeText(GENERATION, String((await readGeneration(marks)) + 1))
    requeued = await outbox.requeueAllPending()
    logger.warn({ requeued }, 'Temporal has forgotten what it knew: all pending promises are told again')
  }
  if (heartbeat.lastRun) await marks.writeText(LAST_RUN, JSON.stringify(heartbeat.lastRun))
  return requeued
}

function readRun(text: string | null): { workflowId: string; runId: string } | null {
  return text === null ? null : (JSON.parse(text) as { workflowId: string; runId: string })
}

import type { Logger } from 'pino'
import { errorCode } from '../errors'
import type { OutboxEntry, OutboxStore } from '../store/outbox-store'
import type { Scheduler } from './scheduler'

const BATCH = 50
const CONCURRENCY = 8
const RETRY_MS = 2_000

/** Tells Temporal what the rows say, right after their commit; what it cannot tell stays for later. */
export interface OutboxDispatcher {
  /** Says that there is something to tell. Never waits, never throws. */
  kick(): void
  /** Tells everything that is ready now; answers how many entries are done. */
  drain(): Promise<number>
  close(): Promise<void>
}

export interface DispatcherParts {
  outbox: OutboxStore
  scheduler: Scheduler
  logger: Logger
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
}

export function createOutboxDispatcher(parts: DispatcherParts): OutboxDispatcher {
  let running: Promise<number> | undefined
  let again = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  function drain(): Promise<number> {
    again = true
    running ??= drainLoop().finally(() => {
      running = undefined
    })
    return running
  }

  async function drainLoop(): Promise<number> {
    let done = 0
    while (again && !closed) {
      again = false
      const batch = await drainBatch(parts)
      done += batch.done
      if (batch.failed) return later(done)
      again ||= batch.taken === BATCH
    }
    return done
  }

  /** Temporal is away: look again soon, without hammering it. The reconciler does the same on its own clock. */
  function later(done: number): number {
    if (!closed) retry ??= setTimeout(() => ((retry = undefined), kick()), RETRY_MS)
    return done
  }

  function kick(): void {
    drain().catch((error: unknown) => {
      parts.logger.warn({ code: errorCode(error) }, 'the outbox could not be read')
      later(0)
    })
  }

  return {
    kick,
    drain,
    async close() {
      closed = true
      clearTimeout(retry)
      await running?.catch(() => undefined)
    },
  }
}

async function drainBatch(parts: DispatcherParts): Promise<{ taken: number; done: number; failed: boolean }> {
  const entries = await parts.outbox.take(BATCH)
  const waiting = [...entries]
  const done: number[] = []
  let failure: Error | undefined
  const work = async () => {
    // After a failure the rest of the batch is given back: one sick engine is not asked fifty times.
    for (let entry = waiting.shift(); entry && !failure; entry = waiting.shift()) {
      try {
        await tell(parts, entry)
        done.push(entry.id)
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error))
        parts.logger.warn(
          { kind: entry.kind, refId: entry.ref_id, code: errorCode(error) },
          'Temporal could not be told',
        )
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  if (done.length > 0) await parts.outbox.done(done)
  const left = entries.map(({ id }) => id).filter((id) => !done.includes(id))
  if (left.length > 0) await parts.outbox.giveBack(left, RETRY_MS / 1_000, failure?.message ?? 'not tried')
  return { taken: entries.length, done: done.length, failed: failure !== undefined }
}

async function tell({ scheduler, crashPoint }: DispatcherParts, entry: OutboxEntry): Promise<void> {
  if (entry.kind === 'cancel_workflow') return scheduler.cancelWorkflow(entry.ref_id)
  const { session_id: sessionKey, bot_uuid: botUuid, send_at_ts: sendAt, timezone } = entry
  if (!entry.wanted || !sessionKey || !botUuid || !sendAt || !timezone) return
  await scheduler.startScheduledMessage({ id: entry.ref_id, sessionKey, botUuid, sendAt, timezone })
  crashPoint('workflow_started')
}

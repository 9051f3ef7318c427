import type { Logger } from 'pino'
import { AppError, errorCode } from '../errors'
import type { AutomationStore } from '../store/automations'
import type { OutboxEntry, OutboxStore } from '../store/outbox-store'
import { ENGINE_AWAY } from './scheduler'
import type { Scheduler } from './scheduler'

const BATCH = 50
const CONCURRENCY = 8
const RETRY_MS = 2_000
/** What Temporal refuses is tried again rarely, and is seen in `last_error` and the metrics meanwhile. */
const REFUSED_RETRY_MS = 60_000

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
  automations: Pick<AutomationStore, 'findForSync' | 'markSynced'>
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
      if (batch.away) return later(done)
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

/** What can be told is told; an engine that is away ends the batch, an entry that it refuses ends only itself. */
async function drainBatch(parts: DispatcherParts): Promise<{ taken: number; done: number; away: boolean }> {
  const entries = await parts.outbox.take(BATCH)
  const waiting = [...entries]
  const done: number[] = []
  const refused: { id: number; message: string }[] = []
  let away = false
  const work = async () => {
    for (let entry = waiting.shift(); entry && !away; entry = waiting.shift()) {
      try {
        await tell(parts, entry)
        done.push(entry.id)
      } catch (error) {
        away ||= errorCode(error) === ENGINE_AWAY
        if (errorCode(error) !== ENGINE_AWAY) refused.push({ id: entry.id, message: messageOf(error) })
        parts.logger.warn(
          { kind: entry.kind, refId: entry.ref_id, code: errorCode(error) },
          'Temporal could not be told',
        )
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  if (done.length > 0) await parts.outbox.done(done)
  for (const { id, message } of refused) await parts.outbox.giveBack([id], REFUSED_RETRY_MS / 1_000, message)
  const over = new Set([...done, ...refused.map(({ id }) => id)])
  const left = entries.map(({ id }) => id).filter((id) => !over.has(id))
  if (left.length > 0) await parts.outbox.giveBack(left, RETRY_MS / 1_000, 'Temporal is away')
  return { taken: entries.length, done: done.length, away }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function tell(parts: DispatcherParts, entry: OutboxEntry): Promise<void> {
  const { scheduler, crashPoint } = parts
  if (entry.kind === 'cancel_workflow') return scheduler.cancelWorkflow(entry.ref_id)
  if (entry.kind === 'sync_automation') return syncSchedule(parts, entry.ref_id)
  const { ref_id: id, session_id: sessionKey, bot_uuid: botUuid, send_at_ts: sendAt, timezone } = entry
  if (!entry.wanted || !botUuid) return
  if (entry.kind === 'start_run') return scheduler.startRun({ id, sessionKey, botUuid })
  if (!sessionKey) return
  if (entry.kind === 'start_delivery') return scheduler.startDelivery({ id, sessionKey, botUuid })
  if (entry.kind === 'start_inbound') return scheduler.startInbound({ id, sessionKey, botUuid })
  if (!sendAt || !timezone) return
  await scheduler.startScheduledMessage({ id, sessionKey, botUuid, sendAt, timezone })
  crashPoint('workflow_started')
}

const SYNC_TRIES = 5

/** Makes the schedule what the row says now; a row that moved on meanwhile is told again, so the last word wins. */
async function syncSchedule({ scheduler, automations }: DispatcherParts, id: string): Promise<void> {
  for (let tried = 0; tried < SYNC_TRIES; tried++) {
    const automation = await automations.findForSync(id)
    if (automation) await scheduler.automationSchedules.put(automation)
    else await scheduler.automationSchedules.remove(id)
    if (await automations.markSynced(id, automation?.version ?? null)) return
  }
  throw new AppError('automation_restless', 'the automation changed faster than Temporal could be told')
}

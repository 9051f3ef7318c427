import type { Logger } from 'pino'
import { AppError, errorCode, messageOf } from '../errors'
import type { KindStore } from './kind-store'
import { startOf } from './promise-kind'
import type { OutboxEntry, OutboxStore } from './outbox-store'
import { ENGINE_AWAY } from './temporal/temporal-scheduler'
import type { Scheduler } from './temporal/temporal-scheduler'
import { createSingleFlight } from './waiting'

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
  kinds: KindStore
  scheduler: Scheduler
  /** What else Temporal is told of, by the kind of its outbox entry. */
  tellToo: Record<string, (refId: string) => Promise<void>>
  logger: Logger
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
}

export function createOutboxDispatcher(parts: DispatcherParts): OutboxDispatcher {
  const flight = createSingleFlight(drainLoop)
  let again = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  function drain(): Promise<number> {
    again = true
    return flight.join()
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
      await flight.current()?.catch(() => undefined)
    },
  }
}

/** What can be told is told; an engine that is away ends the batch, an entry that it refuses ends only itself. */
async function drainBatch(parts: DispatcherParts): Promise<{ taken: number; done: number; away: boolean }> {
  const entries = await parts.outbox.take(BATCH)
  const tell = await prepareTelling(parts, entries)
  const waiting = [...entries]
  const done: number[] = []
  const refused: { id: number; message: string }[] = []
  let away = false
  const work = async () => {
    for (let entry = waiting.shift(); entry && !away; entry = waiting.shift()) {
      try {
        await tell(entry)
        done.push(entry.id)
      } catch (error) {
        away ||= errorCode(error) === ENGINE_AWAY
        if (errorCode(error) !== ENGINE_AWAY) refused.push({ id: entry.id, message: messageOf(error) })
        parts.logger.warn(
          { kind: entry.kind, refId: entry.refId, code: errorCode(error) },
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

type Tell = (entry: OutboxEntry) => Promise<void>

/** Reads the rows of a batch, one query a kind. A row that wants no workflow any more is told by saying nothing. */
async function prepareTelling(parts: DispatcherParts, entries: OutboxEntry[]): Promise<Tell> {
  const tellers = new Map<string, Tell>([
    ['cancel_workflow', ({ refId: workflowId }) => parts.scheduler.cancelWorkflow(workflowId)],
    ...Object.entries(parts.tellToo).map(([kind, tell]): [string, Tell] => [kind, ({ refId: id }) => tell(id)]),
  ])
  for (const kind of parts.kinds.all) {
    const ids = entries.filter((entry) => entry.kind === startOf(kind.kind)).map((entry) => entry.refId)
    if (ids.length === 0) continue
    const rows = new Map((await parts.kinds.starts(kind, ids)).map((row) => [row.id, row]))
    tellers.set(startOf(kind.kind), async ({ refId: id }) => {
      const row = rows.get(id)
      if (!row) return
      await parts.scheduler.start(kind, row)
      parts.crashPoint('workflow_started')
    })
  }
  return async (entry) => {
    const teller = tellers.get(entry.kind)
    if (!teller) throw new AppError('outbox_kind_unknown', `nobody tells Temporal of ${entry.kind}`)
    await teller(entry)
  }
}

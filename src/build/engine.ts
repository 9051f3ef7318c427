import type { Logger } from 'pino'
import { SYNC_AUTOMATION, createAutomationSchedules } from '../automations'
import type { Config } from '../config'
import { OUTBOX_WAKE } from '../contracts/event'
import { createOutboxDispatcher } from '../engine/outbox-dispatcher'
import { createPostgresLiveBus } from '../engine/postgres-live-bus'
import { createTemporalScheduler } from '../engine/temporal/temporal-scheduler'
import type { OnClose } from './closing'
import type { Storage } from './storage'

export type Engine = Awaited<ReturnType<typeof createEngine>>

/** What every promise stands on: live events, Temporal, and the outbox between PostgreSQL and it. */
export async function createEngine(
  config: Config,
  { database, stores }: Storage,
  { databaseUrl, logger, onClose }: { databaseUrl: string; logger: Logger; onClose: OnClose },
) {
  const crashPoint = createCrashPoint(config.crashPoint)
  const live = await createPostgresLiveBus({ connectionString: databaseUrl, pool: database.pool, logger })
  onClose(() => live.close())
  const scheduler = await createTemporalScheduler(config.temporal, stores.clock, stores.marks.installation)
  onClose(() => scheduler.close())
  const automationSchedules = createAutomationSchedules({
    schedules: scheduler.schedules,
    automations: stores.automations,
    clock: stores.clock,
    taskQueue: config.temporal.taskQueue,
  })
  const dispatcher = createOutboxDispatcher({
    outbox: stores.outbox,
    kinds: stores.kinds,
    tellToo: { [SYNC_AUTOMATION]: automationSchedules.sync },
    scheduler,
    logger,
    crashPoint,
  })
  onClose(() => dispatcher.close())
  onClose(live.subscribe(OUTBOX_WAKE, { onWake: dispatcher.kick }))
  return { live, scheduler, automationSchedules, dispatcher, crashPoint }
}

/**
 * Test only. `PUNCTUAL_TEST_CRASH_POINT=name` or `name:3` makes the process kill itself when it passes that place
 * (the third time). Without the setting it is nothing.
 */
function createCrashPoint(setting: string | undefined): (name: string) => void {
  if (setting === undefined) return () => undefined
  const [wanted, count = '1'] = setting.split(':')
  let left = Number(count)
  return (name) => {
    if (name === wanted && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { WorkflowBundleOption } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { TemporalConfig } from '../config'
import type { Activities } from '../contracts/activities'
import { turnsTaskQueue } from '../contracts/temporal'
import type { OutboxStore } from '../store/outbox-store'
import type { ScheduledMessageStore } from '../store/scheduled-messages'
import { startCaretaker } from './caretaker'
import { startHerdWatch } from './herd-watch'
import type { OutboxDispatcher } from './outbox-dispatcher'
import type { Scheduler } from './scheduler'
import { temporalConnectionOptions } from './temporal-connection'

const CONNECT_FOR_MS = 5 * 60_000
const GRACE = '8 seconds'
const TURNS_AT_ONCE = 200

export interface WorkerParts {
  config: TemporalConfig
  activities: Activities
  bundle: WorkflowBundleOption
  logger: Logger
  scheduler: Scheduler
  messages: Pick<ScheduledMessageStore, 'listHerds'>
  outbox: OutboxStore
  dispatcher: OutboxDispatcher
}

/** Connects (waiting for a Temporal that is still starting), keeps our schedule alive and polls until stopped. */
export async function startWorker(parts: WorkerParts): Promise<{ stop(): Promise<void>; ended: Promise<void> }> {
  const { config, logger } = parts
  installLogger(logger)
  const connection = await connect(config, logger)
  const common = {
    connection,
    namespace: config.namespace,
    activities: { ...parts.activities },
    shutdownGraceTime: GRACE,
    // A cancel reaches a plugin with the answer to its next heartbeat.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
  } as const
  const worker = await Worker.create({
    ...common,
    taskQueue: config.taskQueue,
    workflowBundle: parts.bundle,
    maxConcurrentLocalActivityExecutions: 200,
  })
  // Turns of automations and platforms may wait long for their session: their places are their own.
  const turns = await Worker.create({
    ...common,
    taskQueue: turnsTaskQueue(config.taskQueue),
    maxConcurrentActivityTaskExecutions: TURNS_AT_ONCE,
  })
  const caretaker = startCaretaker(parts)
  const herdWatch = startHerdWatch(parts)
  const workers = [worker, turns]
  const stopAll = () => workers.filter((each) => each.getState() === 'RUNNING').forEach((each) => each.shutdown())
  // If one of them ends, the other must not go on alone.
  const ended = Promise.all(workers.map((each) => each.run().finally(stopAll)))
    .then(() => undefined)
    .finally(async () => {
      await caretaker.stop()
      await herdWatch.stop()
      await connection.close()
    })
  return {
    ended,
    async stop() {
      stopAll()
      await ended.catch(() => undefined)
    },
  }
}

/** Temporal's own lines join ours; what they say below a warning is noise to an operator. */
function installLogger(logger: Logger): void {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
  try {
    Runtime.install({
      logger: new DefaultLogger('WARN', ({ level, message }) => logger[levels[level]]({ from: 'temporal' }, message)),
      shutdownSignals: [],
    })
  } catch {
    // Installed already by an earlier worker of this process (tests): the first one stays.
  }
}

async function connect(config: TemporalConfig, logger: Logger): Promise<NativeConnection> {
  const options = await temporalConnectionOptions(config)
  const deadline = Date.now() + CONNECT_FOR_MS
  for (;;) {
    try {
      return await NativeConnection.connect(options)
    } catch (error) {
      if (Date.now() > deadline) throw error
      logger.warn({ address: options.address }, 'Temporal is not there yet')
      await sleep(1_000)
    }
  }
}

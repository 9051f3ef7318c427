import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { WorkflowBundleOption } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { TemporalConfig } from '../../config'
import type { Activities } from '../../contracts/activities'
import { callsTaskQueue, turnsTaskQueue } from '../../contracts/temporal'
import type { OutboxStore } from '../outbox-store'
import { keepSystemSchedules } from './system-schedules'
import type { OutboxDispatcher } from '../outbox-dispatcher'
import { temporalConnectionOptions } from './temporal-connection'
import type { Scheduler } from './temporal-scheduler'

const CONNECT_FOR_MS = 5 * 60_000
const TURNS_AT_ONCE = 200
/** Each is a process of its own, with memory of its own. */
const PLUGIN_CALLS_AT_ONCE = 4
const MCP_CALLS_AT_ONCE = 50
/** The queues of turns and calls have none, on purpose. */
const WITHOUT_WORKFLOWS = 'No workflows registered'

export interface WorkerParts {
  config: TemporalConfig
  drainMs: number
  activities: Activities
  bundle: WorkflowBundleOption
  logger: Logger
  scheduler: Scheduler
  /** What else runs while the worker does. */
  beside: readonly (() => { stop(): Promise<void> })[]
  outbox: OutboxStore
  dispatcher: OutboxDispatcher
}

/** Connects (waiting for a Temporal that is still starting), keeps our schedule alive and polls until stopped. */
export async function startWorker(parts: WorkerParts): Promise<{ stop(): Promise<void>; ended: Promise<void> }> {
  const { config, logger } = parts
  installLogger(logger)
  const connection = await connect(config, logger)
  await parts.scheduler.requireOurs().catch(async (error: unknown) => {
    await connection.close()
    throw error
  })
  const common = {
    connection,
    namespace: config.namespace,
    activities: { ...parts.activities },
    // Activities are told to end before the time is over; what they leave, Temporal gives to the next worker.
    shutdownGraceTime: parts.drainMs * 0.6,
    // A cancel reaches a plugin with the answer to its next heartbeat.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
  } as const
  const worker = await Worker.create({
    ...common,
    taskQueue: config.taskQueue,
    workflowBundle: parts.bundle,
    workflowThreadPoolSize: 1,
    maxConcurrentLocalActivityExecutions: 200,
  })
  // Turns of automations and platforms may wait long for their session: their places are their own.
  const turns = await Worker.create({
    ...common,
    taskQueue: turnsTaskQueue(config.taskQueue),
    maxConcurrentActivityTaskExecutions: TURNS_AT_ONCE,
  })
  const pluginCalls = await Worker.create({
    ...common,
    taskQueue: callsTaskQueue(config.taskQueue, 'plugin'),
    maxConcurrentActivityTaskExecutions: PLUGIN_CALLS_AT_ONCE,
  })
  const mcpCalls = await Worker.create({
    ...common,
    taskQueue: callsTaskQueue(config.taskQueue, 'mcp'),
    maxConcurrentActivityTaskExecutions: MCP_CALLS_AT_ONCE,
  })
  const systemSchedules = keepSystemSchedules(parts)
  const beside = parts.beside.map((start) => start())
  const workers = [worker, turns, pluginCalls, mcpCalls]
  const stopAll = () => workers.filter((each) => each.getState() === 'RUNNING').forEach((each) => each.shutdown())
  // If one of them ends, the others must not go on alone.
  const ended = Promise.all(workers.map((each) => each.run().finally(stopAll)))
    .then(() => undefined)
    .finally(async () => {
      await systemSchedules.stop()
      for (const each of beside) await each.stop()
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
      logger: new DefaultLogger('WARN', ({ level, message }) => {
        if (!message.startsWith(WITHOUT_WORKFLOWS)) logger[levels[level]]({ from: 'temporal' }, message)
      }),
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

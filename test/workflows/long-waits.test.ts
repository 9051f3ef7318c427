import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { WorkflowFailedError } from '@temporalio/client'
import type { Activities } from '../../src/contracts/activities'
import type { DueOutcome } from '../../src/reminders/contract'
import { SCHEDULED_MESSAGE_WORKFLOW } from '../../src/contracts/temporal'
import { workflowBundlePath } from '../support/services'
import { findTimeSkippingServer } from './time-skipping-server'

const DAY_MS = 86_400_000
const server = findTimeSkippingServer()
if ('missing' in server) process.stderr.write(`long waits are NOT tested, no time-skipping server: ${server.missing}\n`)
const withSkipping = 'path' in server ? test : test.skip

let environment: TestWorkflowEnvironment

beforeAll(async () => {
  if (!('path' in server)) return
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) })
  environment = await startSkipping(server.path)
}, 120_000)
afterAll(() => environment?.teardown())

/** The SDK gives it five seconds, which a JVM on a busy machine may not make at the first start. */
async function startSkipping(file: string, attempts = 8): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path' as const, path: file }
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
  } catch (error) {
    if (attempts <= 1) throw error
    return startSkipping(file, attempts - 1)
  }
}

interface Call {
  activity: keyof Activities
  id: string
  atMs: number
}

/** Activities that answer by a script; an Error is thrown. Each remembers when it was called, by the skipped clock. */
function scripted(script: Partial<Record<keyof Activities, (DueOutcome | Error)[]>>) {
  const made: Call[] = []
  const play = (activity: keyof Activities) => async (id: string) => {
    made.push({ activity, id, atMs: await environment.currentTimeMs() })
    const step = script[activity]?.shift() ?? new Error(`nothing is scripted for ${activity}`)
    if (step instanceof Error) throw step
    return step
  }
  const names = ['deliverDue', 'sendOutside', 'cancelByOperator'] as const
  return { made, activities: Object.fromEntries(names.map((name) => [name, play(name)])) }
}

async function keep(
  script: Parameters<typeof scripted>[0],
  work: (run: { id: string; dueMs: number; made: Call[]; taskQueue: string }) => Promise<void>,
): Promise<void> {
  const { made, activities } = scripted(script)
  const id = `message-${Math.random().toString(36).slice(2)}`
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: id,
    workflowBundle: { codePath: workflowBundlePath() },
    activities,
  })
  const dueMs = (await environment.currentTimeMs()) + 30 * DAY_MS
  await worker.runUntil(work({ id, dueMs, made, taskQueue: id }))
}

const start = ({ id, dueMs, taskQueue }: { id: string; dueMs: number; taskQueue: string }) =>
  environment.client.workflow.start(SCHEDULED_MESSAGE_WORKFLOW, {
    workflowId: id,
    taskQueue,
    args: [{ id, sendAtMs: dueMs }],
  })

withSkipping(
  'a message for next month is sent then, and not before',
  () =>
    keep({ deliverDue: [{ state: 'sent' }] }, async (run) => {
      const handle = await start(run)
      expect(await handle.result()).toBe('sent')
      expect(run.made).toHaveLength(1)
      expect(run.made[0]!.atMs).toBeGreaterThanOrEqual(run.dueMs)
      expect(run.made[0]!.atMs).toBeLessThan(run.dueMs + 60_000)
    }),
  60_000,
)

withSkipping(
  'a database whose clock is two days behind is waited for',
  () =>
    keep({ deliverDue: [{ state: 'early', waitMs: 2 * DAY_MS }, { state: 'sent' }] }, async (run) => {
      const handle = await start(run)
      expect(await handle.result()).toBe('sent')
      expect(run.made).toHaveLength(2)
      expect(run.made[1]!.atMs - run.made[0]!.atMs).toBeGreaterThanOrEqual(2 * DAY_MS)
    }),
  60_000,
)

withSkipping(
  'an outside channel that finds the message not due yet waits too, and sends it then',
  () => {
    const script = {
      deliverDue: [{ state: 'outside' as const }, { state: 'outside' as const }],
      sendOutside: [{ state: 'early' as const, waitMs: 2 * DAY_MS }, { state: 'sent' as const }],
    }
    return keep(script, async (run) => {
      const handle = await start(run)
      expect(await handle.result()).toBe('sent')
      const [first, second] = run.made.filter(({ activity }) => activity === 'sendOutside')
      expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(2 * DAY_MS)
    })
  },
  60_000,
)

withSkipping(
  'a cancel after ten days of waiting asks the row, and nothing is sent',
  () =>
    keep({ cancelByOperator: [{ state: 'cancelled' }] }, async (run) => {
      const handle = await start(run)
      await environment.sleep(10 * DAY_MS)
      await handle.cancel()
      await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError)
      expect((await handle.describe()).status.name).toBe('CANCELLED')
      expect(run.made.map(({ activity }) => activity)).toEqual(['cancelByOperator'])
    }),
  60_000,
)

withSkipping(
  'a channel that is away for hours is tried again and again, ever more slowly, until it is back',
  () => {
    const refusals = Array.from({ length: 20 }, () => new Error('channel_away'))
    const script = {
      deliverDue: [{ state: 'outside' as const }],
      sendOutside: [...refusals, { state: 'sent' as const }],
    }
    return keep(script, async (run) => {
      const handle = await start(run)
      expect(await handle.result()).toBe('sent')
      const tries = run.made.filter(({ activity }) => activity === 'sendOutside')
      expect(tries).toHaveLength(21)
      const gaps = tries.slice(1).map(({ atMs }, index) => atMs - tries[index]!.atMs)
      expect(Math.max(...gaps)).toBeLessThan(3 * 60_000)
      expect(tries.at(-1)!.atMs - tries[0]!.atMs).toBeGreaterThan(20 * 60_000)
    })
  },
  60_000,
)

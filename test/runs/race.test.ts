import path from 'node:path'
import type { Run, RunEvent } from '../../src/runs/contract'
import type { Session } from '../../src/conversation/session'
import type { JsonObject } from '../../src/contracts/words'
import type { RunRequest, StepRequest } from '../../src/runs/runs'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { startRun } from './run-fixture'

let product: Product
let session: Session

beforeAll(async () => {
  product = await buildProduct({ PUNCTUAL_PLUGINS_DIR: path.resolve(__dirname, 'fixtures/plugins') })
  await product.startWorker()
})
beforeEach(async () => {
  session = await product.session()
})
afterAll(() => product.close())

const start = (steps: StepRequest[], more: Partial<RunRequest> = {}) => startRun(product, session, steps, more)

const one = (draftArgs: JsonObject) => start([{ aiName: 'local__wait', draftArgs }])

/** Every event of a run that has ended. */
async function story(run: Run): Promise<RunEvent[]> {
  await eventually(async () => (await product.parts.runs.find(run.id))?.run.endedAt, 30_000)
  return product.parts.runs.events(run.id, 0, 100)
}

const types = (events: RunEvent[]) => events.map(({ type }) => type)
const resultOf = (events: RunEvent[], step = 0) =>
  events.find(({ type, stepIndex }) => type === 'tool_result' && stepIndex === step) as
    | (RunEvent & { result: { success: boolean; code: string; data: JsonObject; error: { message: string } | null } })
    | undefined
const messages = async () =>
  (await product.parts.stores.messages.latest(session.sessionKey, { limit: 20 })).map(({ content }) => content)

describe('a plugin run', () => {
  it('reports at once without a schedule', async () => {
    const events = await story(await one({ ms: 10 }))
    expect(types(events)).toEqual(['args', 'tool_result', 'completed'])
    expect(resultOf(events)?.result).toMatchObject({ success: true, code: 'OK', data: { waited: 10 } })
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('that is done early is told at the deadline, in one result', async () => {
    const run = await one({ ms: 10, schedule: 'in 3 seconds' })
    const events = await story(run)
    expect(types(events)).toEqual(['args', 'tool_result', 'completed'])
    expect(events[1]!.ts - run.createdAt.getTime()).toBeGreaterThanOrEqual(2_900)
    expect(await messages()).toEqual(['wait is done: waited 10 ms'])
  })

  it('that is late tells one interim state at the deadline, then its result', async () => {
    const events = await story(await one({ ms: 4_000, schedule: 'in 1 second' }))
    expect(types(events)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
    expect(events[1]).toMatchObject({ status: 'in_progress' })
    const said = await messages()
    expect(said[0]).toMatch(/did not finish within 1s/)
    expect(said[1]).toBe('wait is done: waited 4000 ms')
  })

  it('that times out says so at once, whatever the deadline', async () => {
    const events = await story(await start([{ aiName: 'local__hang', draftArgs: { schedule: 'in 20 seconds' } }]))
    expect(types(events)).toEqual(['args', 'tool_result', 'completed'])
    expect(resultOf(events)?.result.code).toBe('TIMEOUT')
    expect(events[1]!.ts - events[0]!.ts).toBeLessThan(15_000)
  })

  it('that fails is told at the deadline like any result', async () => {
    const run = await one({ ms: 10, fail: 'no paint', schedule: 'in 2 seconds' })
    const events = await story(run)
    expect(resultOf(events)?.result).toMatchObject({ success: false, code: 'ERR', error: { message: 'no paint' } })
    expect(events[1]!.ts - run.createdAt.getTime()).toBeGreaterThanOrEqual(1_900)
  })

  it('takes a past time as now', async () => {
    const events = await story(await one({ ms: 10, schedule: '2020-01-01T00:00:00Z' }))
    expect(types(events).at(-2)).toBe('tool_result')
    expect(resultOf(events)?.result.code).toBe('OK')
  })

  it('that is to be told now says that it runs, without counting seconds', async () => {
    const events = await story(await one({ ms: 2_000, schedule: '2020-01-01T00:00:00Z' }))
    expect(types(events)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
    expect((await messages())[0]).toBe('The tool is still running. Still waiting...')
  })

  it('that needs longer than its deadline is not our lateness', async () => {
    const run = await one({ ms: 6_000, schedule: 'in 2 seconds' })
    await story(run)
    expect((await product.parts.runs.find(run.id))?.steps[0]?.lateByMs).toBeLessThan(4_000)
  })

  it('is refused when its feedback would be told in more than a year', async () => {
    const events = await story(await one({ ms: 10, schedule: '2099-01-01T00:00:00Z' }))
    expect(resultOf(events)?.result).toMatchObject({ code: 'ERR', error: { reason: 'schedule_too_far' } })
    expect(await messages()).toEqual(['wait was not started: its result would be told in more than a year.'])
  })

  it('whose result was told is not cancelled any more', async () => {
    const run = await one({ ms: 10 })
    await eventually(async () => (await product.parts.runs.find(run.id))?.steps[0]?.status === 'reported', 30_000, 5)
    expect(await product.parts.runs.cancel(run.id, { reason: 'cancelled' })).toBe(false)
    expect((await product.parts.runs.find(run.id))?.run.status).toBe('succeeded')
    expect((await story(run)).at(-1)).toMatchObject({ type: 'completed', status: 'succeeded' })
    expect(await messages()).toEqual(['wait is done: waited 10 ms'])
  })

  it('without a summary tells its data in words, and what it cannot do in the language of the person', async () => {
    await story(await one({ ms: 1, echo: true }))
    await story(await start([{ aiName: 'local__noted', draftArgs: {} }], { language: 'zh' }))
    await story(await start([{ aiName: 'local__wait', draftArgs: { schedule: 'when pigs fly' } }], { language: 'zh' }))
    expect(await messages()).toEqual([
      'wait is done: args: ms 1, echo true',
      '「noted」得到的内容不合要求，所以没有开始。',
      '看不懂什么时候要告诉您「wait」的结果，所以没有开始。',
    ])
  })

  it('refuses a schedule that it cannot read before anything runs', async () => {
    const events = await story(await one({ ms: 10, schedule: 'when pigs fly' }))
    expect(types(events)).toEqual(['args', 'tool_result', 'completed'])
    expect(resultOf(events)?.result).toMatchObject({ success: false, code: 'ERR', data: null })
  })

  it('honours the zone and language of a schedule object', async () => {
    const run = await one({ ms: 1, schedule: { when: '2秒后', language: 'zh', timezone: 'Europe/Paris' } })
    const events = await story(run)
    expect(resultOf(events)?.result.code).toBe('OK')
    expect(events[1]!.ts - run.createdAt.getTime()).toBeGreaterThanOrEqual(1_900)
  })

  it('never shows the schedule to the handler', async () => {
    const events = await story(await one({ ms: 1, echo: true, schedule: 'in 1 second' }))
    expect(resultOf(events)?.result.data['args']).toEqual({ ms: 1, echo: true })
  })

  it('ends in one CANCELLED when it is cancelled, and the handler is aborted', async () => {
    const run = await one({ ms: 60_000, schedule: 'in 50 seconds' })
    await eventually(async () => (await product.parts.runs.find(run.id))?.steps[0]?.startedAt)
    expect(await product.parts.runs.cancel(run.id, { reason: 'cancelled' })).toBe(true)
    expect(await product.parts.runs.cancel(run.id, { reason: 'cancelled' })).toBe(false)
    const events = await story(run)
    expect(types(events)).toEqual(['args', 'tool_result', 'completed'])
    expect(resultOf(events)?.result.code).toBe('CANCELLED')
    await eventually(async () => (await product.parts.scheduler.stateOf(`run/${run.id}`)) !== 'open')
  })

  it('asks for a pause between two calls where the plugin wants one', async () => {
    const first = await story(await start([{ aiName: 'local__rare' }]))
    const second = await story(await start([{ aiName: 'local__rare' }]))
    expect(resultOf(first)?.result.code).toBe('OK')
    expect(resultOf(second)?.result).toMatchObject({
      code: 'COOLDOWN_ACTIVE',
      error: { remainMs: expect.any(Number) as number },
    })
  })
})

describe('a plan', () => {
  it('runs a step when what it depends on has reported, and skips what depends on a failure', async () => {
    const events = await story(
      await start([
        { aiName: 'local__wait', draftArgs: { ms: 50 } },
        { aiName: 'local__wait', draftArgs: { ms: 50, fail: 'broken' } },
        { aiName: 'local__wait', draftArgs: { ms: 1 }, dependsOn: [0] },
        { aiName: 'local__wait', draftArgs: { ms: 1 }, dependsOn: [0, 1] },
      ]),
    )
    const order = events.filter(({ type }) => type === 'tool_result').map(({ stepIndex }) => stepIndex)
    expect(order.indexOf(2)).toBeGreaterThan(order.indexOf(0))
    expect(resultOf(events, 2)?.result.code).toBe('OK')
    expect(resultOf(events, 3)).toMatchObject({ skipped: true, result: { success: false } })
    expect(events.at(-1)).toMatchObject({ type: 'completed', status: 'failed' })
    expect(await messages()).toContain('wait was not run, because wait did not succeed.')
  })

  it('tells steps with one deadline together', async () => {
    const step = { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 6 seconds' } }
    const run = await start([step, step, step])
    const events = await story(run)
    const told = events.filter(({ type }) => type === 'tool_result')
    expect(told).toHaveLength(3)
    // The rows were last written by one transaction.
    const { rows } = await product.parts.database.pool.query('SELECT DISTINCT xmin FROM run_steps WHERE run_id = $1', [
      run.id,
    ])
    expect(rows).toHaveLength(1)
  })

  it('is refused when it names an unknown tool, depends on a later step, or is too long', async () => {
    await expect(start([{ aiName: 'local__nothing' }])).rejects.toMatchObject({ code: 'unknown_tool' })
    await expect(start([{ aiName: 'local__wait', dependsOn: [0] }])).rejects.toMatchObject({ code: 'bad_plan' })
    await expect(start([])).rejects.toMatchObject({ code: 'bad_plan' })
    await expect(start(Array.from({ length: 21 }, () => ({ aiName: 'local__wait' })))).rejects.toMatchObject({
      code: 'bad_plan',
    })
  })
})

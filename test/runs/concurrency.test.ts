import type { RunEvent } from '../../src/runs/contract'
import type { StepRequest } from '../../src/runs/runs'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { createNotes, findRunContradictions, PLUGINS, startRun, storyOf } from './run-fixture'

let product: Product
beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  await product.startWorker()
}, 60_000)
afterAll(() => product.close())

async function runPlan(steps: StepRequest[]): Promise<RunEvent[]> {
  const run = await startRun(product, await product.session(), steps)
  return storyOf(product, run.id, 90_000)
}

const find = (events: RunEvent[], type: RunEvent['type'], step: number) =>
  events.find((event) => event.type === type && event.stepIndex === step)!

test('at most three steps of a plan run at once, and all of them run', async () => {
  const notes = createNotes('busy')
  const step = { aiName: 'local__busy', draftArgs: { notes: notes.file, gate: notes.gate } }
  const run = await startRun(
    product,
    await product.session(),
    Array.from({ length: 8 }, () => step),
  )
  await eventually(() => notes.lines().length >= 3, 60_000)
  notes.openGate()
  const events = await storyOf(product, run.id, 90_000)
  expect(events.at(-1)).toMatchObject({ type: 'completed', status: 'succeeded' })
  let now = 0
  let most = 0
  for (const line of notes.lines()) {
    now += line === 'in' ? 1 : -1
    most = Math.max(most, now)
  }
  expect(notes.lines()).toHaveLength(16)
  expect(most).toBe(3)
}, 120_000)

test('a step that waits for its deadline holds no place: the ones behind it run and report', async () => {
  const waiting = { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 20 seconds' } }
  const quick = { aiName: 'local__wait', draftArgs: { ms: 1 } }
  const events = await runPlan([waiting, waiting, waiting, quick, quick])
  const seqOf = (step: number) => find(events, 'tool_result', step).seq
  const firstWaiting = Math.min(seqOf(0), seqOf(1), seqOf(2))
  expect(seqOf(3)).toBeLessThan(firstWaiting)
  expect(seqOf(4)).toBeLessThan(firstWaiting)
}, 120_000)

test("a step's schedule counts from its own start, after what it depends on has reported", async () => {
  const events = await runPlan([
    { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 3 seconds' } },
    { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 3 seconds' }, dependsOn: [0] },
  ])
  const [before, args, result] = [
    find(events, 'tool_result', 0),
    find(events, 'args', 1),
    find(events, 'tool_result', 1),
  ]
  expect(args.seq).toBeGreaterThan(before.seq)
  expect(result.ts - args.ts).toBeGreaterThanOrEqual(2_900)
  expect(result.ts - before.ts).toBeGreaterThanOrEqual(3_000)
  expect(await findRunContradictions(product.parts.database.pool)).toEqual({})
}, 120_000)

test('a step that waits for a place, not for another step, counts from its own start too', async () => {
  const slow = { aiName: 'local__wait', draftArgs: { ms: 5_000 } }
  const events = await runPlan([
    slow,
    slow,
    slow,
    { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 4 seconds' } },
  ])
  const [args, result] = [find(events, 'args', 3), find(events, 'tool_result', 3)]
  expect(args.seq).toBeGreaterThan(Math.min(...[0, 1, 2].map((step) => find(events, 'tool_result', step).seq)))
  expect(result.ts - args.ts).toBeGreaterThanOrEqual(3_900)
  expect(events.some(({ type }) => type === 'tool_choice')).toBe(false)
}, 120_000)

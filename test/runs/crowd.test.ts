import type { Run } from '../../src/runs/contract'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { mapLimited } from '../reminders/reminder-fixture'
import { createNotes, PLUGINS, resultOf, startRun, storyOf } from './run-fixture'

/** Calls that a worker runs at once; the others wait in line. */
const PLACES = 4
/** More calls than a worker has places for everything else. */
const CROWD = 110

let product: Product
let worker: { stop(): Promise<void> }
beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  worker = await product.startWorker()
}, 60_000)
afterAll(() => product.close())

const find = async ({ id }: Run) => (await product.parts.runs.find(id))!
const cancel = ({ id }: Run) => product.parts.runs.cancel(id, { reason: 'the test is over' })

async function gather(count: number) {
  const notes = createNotes('crowd')
  const draftArgs = { notes: notes.file, gate: notes.gate }
  const session = await product.session()
  const runs = await mapLimited(count, () => startRun(product, session, [{ aiName: 'local__noted', draftArgs }]))
  await eventually(() => notes.lines().length === PLACES, 60_000)
  return { notes, session, runs }
}

test('calls that wait in line hold up nobody else, and have not begun', async () => {
  const { notes, session, runs } = await gather(CROWD)
  const isInLine = async (run: Run) => (await find(run)).steps[0]?.settledAt
  await eventually(async () => (await Promise.all(runs.map(isInLine))).every(Boolean), 120_000, 500)

  const refused = [{ aiName: 'local__wait', draftArgs: { schedule: 'when pigs fly' } }]
  const next = await startRun(product, session, refused)
  expect(resultOf(await storyOf(product, next.id))?.result.code).toBe('ERR')
  const begun = (await Promise.all(runs.map(find))).filter(({ steps }) => steps[0]?.startedAt)
  expect(begun).toHaveLength(PLACES)
  expect(notes.lines()).toHaveLength(PLACES)
  await mapLimited(CROWD, (number) => cancel(runs[number]!))
}, 240_000)

test('a worker that ends interrupts the calls that it runs, and none that waits', async () => {
  const { notes, runs } = await gather(2 * PLACES)
  await worker.stop()
  notes.openGate()
  worker = await product.startWorker()
  const codes = []
  for (const { id } of runs) codes.push(resultOf(await storyOf(product, id, 90_000))?.result.code)
  expect(codes.sort()).toEqual([...Array<string>(PLACES).fill('INTERRUPTED'), ...Array<string>(PLACES).fill('OK')])
}, 240_000)

test('a call that waited in line for longer than it may itself take is made all the same', async () => {
  const { notes, session, runs } = await gather(PLACES)
  const last = await startRun(product, session, [{ aiName: 'local__brief' }])
  await eventually(() => Date.now() - last.createdAt.getTime() > 12_000, 60_000, 500)
  expect((await find(last)).run.endedAt).toBeNull()

  notes.openGate()
  expect(resultOf(await storyOf(product, last.id))?.result).toMatchObject({ code: 'OK', data: 'done' })
  for (const { id } of runs) expect(resultOf(await storyOf(product, id))?.result.code).toBe('OK')
}, 180_000)

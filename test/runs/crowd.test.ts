import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { createNotes, PLUGINS, resultOf, startRun, storyOf } from './fixture'

/** Calls that a worker runs at once; the others wait in line. */
const PLACES = 4

let product: Product
beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  await product.startWorker()
}, 60_000)
afterAll(() => product.close())

test('a call that waited in line for longer than it may itself take is made all the same', async () => {
  const notes = createNotes('crowd')
  const draftArgs = { notes: notes.file, gate: notes.gate }
  const session = await product.session()
  const start = (aiName: string, args = {}) => startRun(product, session, [{ aiName, draftArgs: args }])
  const crowd = await Promise.all(Array.from({ length: PLACES }, () => start('local__noted', draftArgs)))
  await eventually(() => notes.lines().length === PLACES, 60_000)
  const last = await start('local__brief')
  const since = await eventually(async () => (await product.parts.runs.find(last.id))?.steps[0]?.startedAt, 60_000)
  const ended = async () => (await product.parts.runs.find(last.id))?.run.endedAt
  await eventually(async () => Date.now() - since.getTime() > 38_000 || (await ended()), 60_000, 500)

  notes.openGate()
  expect(resultOf(await storyOf(product, last.id))?.result).toMatchObject({ code: 'OK', data: 'done' })
  for (const { id } of crowd) expect(resultOf(await storyOf(product, id))?.result.code).toBe('OK')
}, 180_000)

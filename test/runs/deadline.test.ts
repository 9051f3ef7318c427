import { atSize } from '../support/at-size'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { mapLimited } from '../reminders/reminder-fixture'
import { findRunContradictions, startRun, storyOf, typesOf, withClock } from './run-fixture'

const COUNT = atSize(300, 60)
const TOOL = 'clock__wait_until'

let product: Product
beforeAll(async () => {
  product = await buildProduct(withClock())
  await product.startWorker()
  await eventually(() => product.parts.plugins.find(TOOL), 60_000)
}, 120_000)
afterAll(() => product.close())

/** A run that ends that long after its deadline. */
async function startAround(deadline: number, offsetMs: number, sessionNumber: number) {
  const session = await product.session(`person-${sessionNumber}`)
  const draftArgs = { until: deadline + offsetMs, schedule: new Date(deadline).toISOString() }
  return startRun(product, session, [{ aiName: TOOL, draftArgs }])
}

test('runs that end at their deadline, 20 ms before or after, tell one story each', async () => {
  const base = Date.now() + 8_000
  const runs = await mapLimited(COUNT, (number) => {
    const offset = 2 * (number % 21) - 20
    return startAround(base + 60 * number, offset, number % 8)
  })
  const stories = await mapLimited(COUNT, (number) => storyOf(product, runs[number]!.id, 300_000), 4)

  for (const events of stories) {
    expect([
      ['args', 'tool_result', 'completed'],
      ['args', 'tool_choice', 'tool_result', 'completed'],
    ]).toContainEqual(typesOf(events))
    expect(events.at(-1)).toMatchObject({ status: 'succeeded' })
  }
  expect(await findRunContradictions(product.parts.database.pool)).toEqual({})
}, 900_000)

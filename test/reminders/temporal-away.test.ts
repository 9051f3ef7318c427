import fs from 'node:fs'
import path from 'node:path'
import { placeTemporal } from '../journeys/private-services'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import {
  countByStatus,
  findContradictions,
  mapLimited,
  promiseMany,
  schedule,
  untilNonePending,
} from './reminder-fixture'

const CANARY = 'canary-c41e-what-a-person-wrote'

let temporal: Awaited<ReturnType<typeof placeTemporal>>
let product: Product

beforeAll(async () => {
  temporal = await placeTemporal()
  product = await buildProduct({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' })
}, 60_000)
afterAll(async () => {
  await product.close()
  await temporal.stop()
}, 60_000)

test('200 promises made while Temporal is away are answered at once, and all are kept when it is back', async () => {
  const sessions = await mapLimited(10, () => product.session())
  const answers = await mapLimited(200, async (number) => {
    const began = performance.now()
    const wish = { sendAt: 'in 3 seconds', messageText: `${CANARY} ${number}` }
    const { ok } = await schedule(product, sessions[number % 10]!, wish)
    return { ok, tookMs: performance.now() - began }
  })
  expect(answers.filter(({ ok }) => !ok)).toEqual([])
  const took = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  expect(took[100]).toBeLessThan(1_000)
  expect(took[199]).toBeLessThan(5_000)

  await temporal.start()
  await product.startWorker()
  const { pool } = product.parts.database
  await untilNonePending(pool)
  expect(await countByStatus(pool)).toEqual({ sent: 200 })
  expect(await findContradictions(pool)).toEqual({})
  await eventually(async () => (await product.parts.stores.outbox.size()) === 0, 60_000)
}, 150_000)

test("when Temporal's data is wiped all that is pending is started again, and nothing is sent twice", async () => {
  const { pool } = product.parts.database
  const before = await countByStatus(pool)
  const sendAt = new Date(Date.now() + 25_000)
  const made = await promiseMany(product, { count: 100, sessions: 5, sendAt, text: () => CANARY })
  const isKnown = async (id: string) => (await product.parts.scheduler.stateOf(`scheduled-message/${id}`)) === 'open'
  await eventually(async () => (await Promise.all(made.map(({ id }) => isKnown(id)))).every(Boolean), 60_000, 500)

  await temporal.stop()
  expect(findText(temporal.dir, CANARY)).toEqual([])
  temporal.forget()
  await temporal.start()
  await untilNonePending(pool, 90_000)
  expect(await countByStatus(pool)).toEqual({ sent: 100 + (before.sent ?? 0) })
  expect(await findContradictions(pool)).toEqual({})
}, 180_000)

/** The files below a folder that hold the text, plain or as Temporal keeps payloads. */
function findText(folder: string, text: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const written = files.map((entry) => path.join(entry.parentPath, entry.name))
  expect(written.some((file) => file.endsWith('.db') && fs.statSync(file).size > 10_000)).toBe(true)
  const shapes = [text, Buffer.from(text).toString('base64').slice(0, 24)]
  return written.filter((file) => shapes.some((shape) => fs.readFileSync(file).includes(shape)))
}

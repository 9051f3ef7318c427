import { endProcesses } from '../support/processes'
import { promise, untilNonePending } from '../reminders/reminder-fixture'
import { buildWorld, promiseBoth, settle } from './journey-fixture'
import type { World } from './journey-fixture'

/** Where the worker dies, and on which channel the message is that brings it there. */
const PLACES = [
  ['before_claim', 'web'],
  ['after_commit_before_ack', 'web'],
  ['before_hand_over', 'webhook'],
  ['handed_over', 'webhook'],
  ['delivery_begun', 'webhook'],
  ['delivered_before_commit', 'webhook'],
  ['delivery_decided', 'webhook'],
] as const
const COUNT = 200

let world: World

beforeAll(async () => {
  world = await buildWorld()
}, 60_000)
afterAll(async () => {
  await endProcesses()
  await world.close()
}, 60_000)

test.each(PLACES)(
  'a worker is killed at %s by a message on %s',
  async (point, channel) => {
    const { product, open, startWorker } = world
    await promise(product, await open(channel), new Date(Date.now() + 1_000), `fatal at ${point} on ${channel}`)
    // What the worker before left half done may kill it too, even before it has said that it is ready.
    const end = await startWorker(point).then(
      (worker) => worker.ended,
      (error: Error) => error.message,
    )
    expect(end).toContain('SIGKILL')
  },
  120_000,
)

test(`after ${PLACES.length} kills nothing is lost or stored twice, and only a call cut off by a kill was repeated`, async () => {
  const { product, startWorker } = world
  await promiseBoth(world, COUNT - PLACES.length, new Date(Date.now() + 5_000))
  await startWorker()
  await untilNonePending(product.parts.database.pool, 120_000)
  const { statuses, repeated, uncertain } = await settle(world)
  expect(statuses).toEqual({ sent: COUNT })
  // The retry of an earlier one may be under way when the next kill comes; what saw no kill is never repeated.
  expect(Object.keys(repeated).length).toBeGreaterThanOrEqual(1)
  expect(Object.keys(repeated).filter((text) => !text.startsWith('fatal'))).toEqual([])
  expect(uncertain).toBeGreaterThanOrEqual(2)
}, 240_000)

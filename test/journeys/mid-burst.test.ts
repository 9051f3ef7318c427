import { eventually } from '../support/eventually'
import { endProcesses } from '../support/processes'
import { untilNonePending } from '../reminders/reminder-fixture'
import { buildWorld, promiseBoth, settle } from './journey-fixture'
import type { World } from './journey-fixture'

const COUNT = 200

let world: World
beforeAll(async () => {
  world = await buildWorld()
}, 60_000)
afterAll(async () => {
  await endProcesses()
  await world.close()
}, 60_000)

test('a worker killed in the middle of a burst loses nothing; only calls that were under way may be repeated', async () => {
  const doomed = await world.startWorker()
  await promiseBoth(world, COUNT, new Date(Date.now() + 12_000))
  await eventually(async () => (await world.ledger.entries()).length >= 20, 60_000, 10)
  await doomed.kill()
  const underWay = await world.product.parts.database.pool.query(
    `SELECT 1 FROM delivery_attempts WHERE outcome = 'started'`,
  )
  await world.startWorker()
  await untilNonePending(world.product.parts.database.pool, 120_000)
  const { statuses, repeated } = await settle(world)
  expect(statuses).toEqual({ sent: COUNT })
  expect(Object.keys(repeated).length).toBeLessThanOrEqual(underWay.rowCount ?? 0)
}, 240_000)

import fs from 'node:fs'
import { Client, Connection } from '@temporalio/client'
import { HEARTBEAT_SCHEDULE } from '../../src/contracts/temporal'
import { placeTemporal } from '../journeys/private-services'
import { promise } from '../reminders/reminder-fixture'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { createTestFolder } from '../support/services'

let temporal: Awaited<ReturnType<typeof placeTemporal>>
let product: Product
let connection: Connection
let client: Client

beforeAll(async () => {
  temporal = await placeTemporal()
  await temporal.start()
  product = await buildProduct({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' })
  connection = Connection.lazy({ address: temporal.address })
  client = new Client({ connection, namespace: 'default' })
  await product.startWorker()
  product.guard.expectActivityFailures('reconcile')
}, 120_000)
afterAll(async () => {
  await product.close()
  await connection.close()
  await temporal.stop()
}, 120_000)

async function add(): Promise<string> {
  const wish = { message: 'check the oven', name: 'oven', repeat: 'every 6 hours', language: 'en' as const }
  const outcome = await product.parts.automations.add(await product.session(), wish)
  if (!outcome.ok) throw new Error(outcome.hint)
  return outcome.view.automation.id
}

const isScheduled = (id: string) =>
  client.schedule
    .getHandle(`automation/${id}`)
    .describe()
    .then(
      () => true,
      () => false,
    )

/** The reconciler has seen the schedule in Temporal: from now on its absence would be an operator's wish. */
async function isSeen(id: string): Promise<boolean> {
  const { rows } = await product.parts.database.pool.query<{ seen: boolean }>(
    'SELECT seen_generation IS NOT NULL AS seen FROM automations WHERE id = $1',
    [id],
  )
  return rows[0]!.seen
}

const lastHeartbeat = () => product.parts.stores.marks.readText('temporal.last_heartbeat')

/** A heartbeat that was not known before has passed and is remembered. */
async function nextHeartbeat(): Promise<void> {
  const before = await lastHeartbeat()
  await eventually(
    async () => {
      await client.schedule
        .getHandle(HEARTBEAT_SCHEDULE)
        .trigger()
        .catch(() => undefined)
      return (await lastHeartbeat()) !== before
    },
    90_000,
    1_000,
  )
}

test('a Temporal that is restored from a copy deletes nothing that was made since, and is told all of it again', async () => {
  const older = await add()
  await eventually(() => isSeen(older), 90_000, 500)
  await nextHeartbeat()
  await temporal.stop()
  const copy = createTestFolder('temporal-copy')
  fs.cpSync(temporal.dir, copy, { recursive: true })
  await temporal.start()

  const newer = await add()
  const { id: reminder } = await promise(product, await product.session(), new Date(Date.now() + 3_600_000))
  const workflowId = `scheduled-message/${reminder}`
  const isOpen = async () => (await product.parts.scheduler.stateOf(workflowId).catch(() => 'away')) === 'open'
  await eventually(isOpen, 60_000, 200)
  await eventually(() => isSeen(newer), 90_000, 500)
  await nextHeartbeat()

  await temporal.stop()
  fs.rmSync(temporal.dir, { recursive: true })
  fs.cpSync(copy, temporal.dir, { recursive: true })
  await temporal.start()
  await eventually(() => isScheduled(newer), 120_000, 500)
  await eventually(isOpen, 120_000, 500)
  for (const id of [older, newer]) {
    expect((await product.parts.automations.find(id))?.automation).toMatchObject({ state: 'active' })
  }
  expect(await isScheduled(older)).toBe(true)
}, 600_000)

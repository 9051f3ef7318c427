import { Client, Connection } from '@temporalio/client'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { temporalAddress } from '../support/services'
import { countByStatus, findContradictions, promiseMany, untilNonePending, WITHOUT_TEMPORAL } from './reminder-fixture'

const COUNT = 2_000
/** Workflows cost far more than rows: a part of them has one, and whoever is due delivers all that is due. */
const WITH_WORKFLOW = 200

let product: Product
let connection: Connection

beforeAll(async () => {
  product = await buildProduct()
  connection = await Connection.connect({ address: temporalAddress() })
}, 60_000)
afterAll(async () => {
  await connection.close()
  await product.close()
})

test(`${COUNT} messages due at the same instant are stored and shown once each, and the workflows end`, async () => {
  const { pool } = product.parts.database
  const { parts, namespace } = product
  const sendAt = new Date(Date.now() + 15_000)
  await promiseMany(product, { count: WITH_WORKFLOW, sessions: 10, sendAt })
  await eventually(async () => (await parts.stores.outbox.size()) === 0, 60_000)
  // Made by a front door that does not reach Temporal: the sweep of the others finds these before their own workflow.
  const cutOff = { ...product, parts: await product.another(WITHOUT_TEMPORAL) }
  await promiseMany(cutOff, { count: COUNT - WITH_WORKFLOW, sessions: 30, sendAt })
  await product.startWorker()
  await untilNonePending(pool)
  expect(await countByStatus(pool)).toEqual({ sent: COUNT })
  expect(await findContradictions(pool)).toEqual({})

  const client = new Client({ connection, namespace })
  const count = async (query: string) =>
    (await client.workflow.count(`WorkflowId STARTS_WITH 'scheduled-message/' AND ${query}`)).count
  await eventually(async () => (await count(`ExecutionStatus = 'Running'`)) === 0, 90_000, 500)
  expect(await count(`ExecutionStatus != 'Completed'`)).toBe(0)
}, 180_000)

import { Client, Connection } from '@temporalio/client'
import { promise } from '../reminders/reminder-fixture'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { endProcesses, settingsOf, startProcess } from '../support/processes'
import { temporalAddress } from '../support/services'

afterAll(endProcesses)

const inAnHour = () => new Date(Date.now() + 3_600_000)

async function promiseStarted(product: Product): Promise<string> {
  const { id } = await promise(product, await product.session(), inAnHour())
  const { scheduler, stores } = product.parts
  await eventually(async () => (await scheduler.stateOf(`scheduled-message/${id}`)) === 'open', 30_000)
  // What Temporal lists lags behind what it knows, and the guard reads the list.
  const listed = () => scheduler.listOpenPastDue(stores.kinds.all, new Date(Date.now() + 2 * 3_600_000), 10)
  await eventually(async () => (await listed()).length > 0, 30_000)
  return id
}

test('a test whose worker had an activity fail unasked fails, although the worker was stopped before', async () => {
  const product = await buildProduct()
  const { parts } = product
  const { scheduledMessages } = parts.stores
  let asked = 0
  const cancel: typeof scheduledMessages.cancel = (how) => {
    asked += 1
    return asked === 1 ? Promise.reject(new Error('a bug')) : scheduledMessages.cancel(how)
  }
  const worker = await product.startWorker({
    ...parts,
    stores: { ...parts.stores, scheduledMessages: { ...scheduledMessages, cancel } },
  })
  const id = await promiseStarted(product)
  await parts.scheduler.cancelWorkflow(`scheduled-message/${id}`)
  await eventually(() => asked > 1, 60_000)
  await worker.stop()
  await expect(product.close()).rejects.toThrow(/activities failed.*cancelByOperator/)
}, 120_000)

test('a test that leaves a workflow open whose row is over fails', async () => {
  const product = await buildProduct()
  await product.startWorker()
  const id = await promiseStarted(product)
  // Nobody tells Temporal.
  await product.parts.database.pool.query(`UPDATE scheduled_messages SET status = 'cancelled' WHERE id = $1`, [id])
  await expect(product.close()).rejects.toThrow(`scheduled-message/${id} is open, its row is over`)
}, 120_000)

test('so does one that leaves a row pending whose workflow is gone, and one whose workers were processes', async () => {
  const product = await buildProduct()
  const worker = await startProcess('worker', settingsOf(product))
  const id = await promiseStarted(product)
  await worker.kill()
  const connection = await Connection.connect({ address: temporalAddress() })
  const temporal = new Client({ connection, namespace: product.namespace })
  await temporal.workflow.getHandle(`scheduled-message/${id}`).terminate()
  await connection.close()
  // The reconciler of the next worker would mend it.
  await product.parts.database.pool.query(
    `CREATE FUNCTION keep_pending() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.status = 'pending'; RETURN NEW; END $$;
     CREATE TRIGGER keep_pending BEFORE UPDATE ON scheduled_messages FOR EACH ROW EXECUTE FUNCTION keep_pending()`,
  )
  await expect(product.close()).rejects.toThrow(`a row wants scheduled-message/${id}, which is terminated`)
}, 180_000)

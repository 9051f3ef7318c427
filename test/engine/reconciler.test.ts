import { Client, Connection } from '@temporalio/client'
import { v7 as uuidv7 } from 'uuid'
import { KINDS } from '../../src/build/kinds'
import { kindQueries } from '../../src/engine/kind-store'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { temporalAddress } from '../support/services'
import { promise } from '../reminders/reminder-fixture'

let product: Product
let temporal: Client

beforeAll(async () => {
  product = await buildProduct()
  const connection = await Connection.connect({ address: temporalAddress() })
  temporal = new Client({ connection, namespace: product.namespace })
  await product.parts.scheduler.ensureReady(async () => undefined)
}, 60_000)
afterAll(async () => {
  await product.close()
  await temporal.connection.close()
})

const sql = (text: string, values: unknown[] = []) => product.parts.database.pool.query(text, values)
const stateOf = (id: string) => product.parts.scheduler.stateOf(`scheduled-message/${id}`)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

async function promiseStarted(sendAt: Date): Promise<string> {
  const { id } = await promise(product, await product.session(), sendAt)
  await eventually(async () => (await stateOf(id)) === 'open')
  return id
}

test('a row that nobody can settle stops neither the other rows nor the steps after it', async () => {
  const poison = await promiseStarted(inMinutes(60))
  const other = await promiseStarted(inMinutes(60))
  await sql(`UPDATE scheduled_messages SET send_at_ts = now() - interval '10 minutes' WHERE id = ANY ($1)`, [
    [poison, other],
  ])
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poison'; END $$`)
  await sql(
    `CREATE TRIGGER poison BEFORE UPDATE ON scheduled_messages FOR EACH ROW WHEN (OLD.id = '${poison}') EXECUTE FUNCTION refuse()`,
  )
  for (const id of [poison, other]) await temporal.workflow.getHandle(`scheduled-message/${id}`).terminate('test')
  const repairs = await product.parts.reconcile()
  expect(repairs.failures).toBeGreaterThan(0)
  expect(repairs.cancelled).toBe(1)
  expect(await product.parts.stores.scheduledMessages.find(other)).toMatchObject({
    status: 'cancelled',
    cancelReason: 'terminated by operator',
  })
  expect(await product.parts.processMetrics.registry.metrics()).toContain(
    'punctual_reconciler_failures_total{step="scheduled_message.stale"}',
  )
  await sql('DROP TRIGGER poison ON scheduled_messages')
  expect((await product.parts.reconcile()).cancelled).toBe(1)
})

test('rows that stay do not hide the others: every pass goes on where the one before ended', async () => {
  const { kinds } = product.parts.stores
  const [kind] = kinds.all
  const session = await product.session()
  const ids = Array.from({ length: 7 }, () => uuidv7())
  await sql(
    `INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone, status, replace_existing)
     SELECT id, $2, $3, 'web', 'private', 'tea', now() - interval '10 minutes', 'UTC', 'pending', false FROM unnest($1::uuid[]) AS id`,
    [ids, session.sessionKey, product.botUuid],
  )
  const seen: string[] = []
  let after: string | null = null
  for (let pass = 0; pass < 3; pass += 1) {
    const rows = await kinds.stale(kind!, after, 3)
    seen.push(...rows.map(({ id }) => id))
    after = rows.at(-1)?.id ?? null
  }
  expect(seen.filter((id) => ids.includes(id))).toEqual(ids)
  await sql(`UPDATE scheduled_messages SET status = 'cancelled' WHERE id = ANY ($1)`, [ids])
})

test('a workflow that was deleted in Temporal is started again before it is due', async () => {
  const id = await promiseStarted(inMinutes(60))
  const execution = { workflowId: `scheduled-message/${id}` }
  await temporal.workflowService.deleteWorkflowExecution({
    namespace: product.namespace,
    workflowExecution: execution,
  })
  await eventually(async () => (await stateOf(id)) === 'not_found')
  await sql(`UPDATE scheduled_messages SET send_at_ts = now() + interval '90 seconds' WHERE id = $1`, [id])
  expect((await product.parts.reconcile()).restarted).toBe(1)
  expect(await stateOf(id)).toBe('open')
}, 30_000)

test('what is pending in a deleted conversation is ended', async () => {
  const session = await product.session()
  const id = uuidv7()
  await sql(
    `INSERT INTO inbound_messages (id, bot_uuid, channel, external_id, session_key, sender_id, content, message_chain)
     VALUES ($1, $2, 'webhook', $3, $4, 'mia', 'hello', '[]')`,
    [id, product.botUuid, id, session.sessionKey],
  )
  await sql('UPDATE sessions SET deleted_at = now() WHERE session_key = $1', [session.sessionKey])
  await product.parts.reconcile()
  const { rows } = await sql('SELECT state, error FROM inbound_messages WHERE id = $1', [id])
  expect(rows).toEqual([{ state: 'failed', error: 'session deleted' }])
})

test('a Temporal that has forgotten the last heartbeat is told everything again', async () => {
  const { marks, outbox } = product.parts.stores
  const { id } = await promise(product, await product.session(), inMinutes(60))
  await eventually(async () => (await stateOf(id)) === 'open')
  await marks.writeText('temporal.last_heartbeat', JSON.stringify({ workflowId: 'system/heartbeat', runId: uuidv7() }))
  const generation = Number((await marks.readText('temporal.generation')) ?? 0)
  const requeueAllPending = jest.spyOn(outbox, 'requeueAllPending')
  await product.parts.reconcile()
  expect(requeueAllPending).toHaveBeenCalled()
  expect(Number(await marks.readText('temporal.generation'))).toBe(generation + 1)
  expect(await outbox.size()).toBe(0)
  await product.parts.reconcile()
  expect(Number(await marks.readText('temporal.generation'))).toBe(generation + 1)
})

test('a worker of another installation refuses the namespace instead of taking its work', async () => {
  const other = await buildProduct({ TEMPORAL_NAMESPACE: product.namespace })
  await expect(other.startWorker()).rejects.toMatchObject({ code: 'another_installation' })
  await other.close()
}, 60_000)

/** Plans under which no table is read as a whole, whatever it holds: an index serves, or nothing does. */
test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
  'nothing that is asked about a %s scans',
  async (_, kind) => {
    const ids = [kind.idType === 'uuid' ? uuidv7() : 'some']
    const queries = kindQueries(kind)
    const asked: [string, unknown[]][] = [
      [queries.starts, [ids]],
      [queries.stale, [ids[0], 10]],
      [queries.open, [kind.workflowColumn ? ['some'] : ids]],
      [queries.inDeletedSessions, [10]],
      [queries.wanted, []],
    ]
    for (const [text, values] of asked) expect(await plan(text, values)).not.toContain(`Seq Scan on ${kind.table}`)
  },
)

async function plan(text: string, values: unknown[]): Promise<string> {
  const client = await product.parts.database.pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

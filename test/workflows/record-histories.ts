import fs from 'node:fs'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils'
import {
  AUTOMATION_RUN_WORKFLOW,
  DREAM_WORKFLOW,
  HEARTBEAT_WORKFLOW,
  RETENTION_WORKFLOW,
} from '../../src/contracts/temporal'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { temporalAddress } from '../support/services'
import { PLUGINS, startRun } from '../runs/run-fixture'
import { promise } from '../reminders/reminder-fixture'

// Not part of the test run. Records the histories again, after a change that breaks replay on purpose:
//   npx jest --testMatch '**/record-histories.ts'
// A workflow that runs somewhere must not be broken: keep the old files and use patched() instead.

const folder = path.join(__dirname, 'histories')
let product: Product
let connection: Connection
let client: Client

beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  for (const name of ['telegram', 'onebot'] as const) {
    let refusals = 1
    const send = async () => {
      if (refusals-- > 0) throw new Error('not yet')
      return { platformMessageId: null }
    }
    const enter = () => ({ release: () => undefined })
    product.parts.channels.set(name, { name, idempotent: false, enter, send })
  }
  await product.startWorker()
  connection = await Connection.connect({ address: temporalAddress() })
  client = new Client({ connection, namespace: product.namespace })
}, 60_000)
afterAll(async () => {
  await connection.close()
  await product.close()
})

/** Who ran it where is nobody's business. */
function withoutIdentity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIdentity)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).map(([key, item]) => [
    key,
    key === 'identity' ? 'recorder' : withoutIdentity(item),
  ])
  return Object.fromEntries(kept) as unknown
}

async function record(name: string, workflowId: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId)
  const status = () =>
    handle.describe().then(
      ({ status: { name } }) => name,
      () => 'NOT_STARTED',
    )
  await eventually(async () => !['RUNNING', 'NOT_STARTED'].includes(await status()), 60_000)
  const history = JSON.parse(historyToJSON(await handle.fetchHistory())) as unknown
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(withoutIdentity(history), null, 2)}\n`)
}

const soon = (ms: number) => new Date(Date.now() + ms)

async function promiseIn(ms: number, channel: 'web' | 'telegram' = 'web'): Promise<string> {
  const { botUuid } = product
  const session = await product.parts.sessions.resolve(ADMIN, { botUuid, launcherId: `by-${channel}`, channel })
  return (await promise(product, session, soon(ms))).id
}

const workflowOf = (id: string) => `scheduled-message/${id}`
const later = (id: string, seconds: number) =>
  product.parts.database.pool.query(
    'UPDATE scheduled_messages SET send_at_ts = send_at_ts + make_interval(secs => $2) WHERE id = $1',
    [id, seconds],
  )

test('scheduled-message-sent', async () => {
  await record('scheduled-message-sent', workflowOf(await promiseIn(1_500)))
}, 90_000)

test('scheduled-message-early', async () => {
  const id = await promiseIn(5_000)
  await eventually(async () => (await product.parts.scheduler.stateOf(workflowOf(id))) === 'open')
  await later(id, 3)
  await record('scheduled-message-early', workflowOf(id))
}, 90_000)

test('scheduled-message-outside', async () => {
  await record('scheduled-message-outside', workflowOf(await promiseIn(1_500, 'telegram')))
}, 90_000)

test('scheduled-message-cancelled', async () => {
  const id = await promiseIn(3_600_000)
  await eventually(async () => (await product.parts.scheduler.stateOf(workflowOf(id))) === 'open')
  await client.workflow.getHandle(workflowOf(id)).cancel()
  await record('scheduled-message-cancelled', workflowOf(id))
}, 90_000)

test('scheduled-message-slept-in-code', async () => {
  const id = await promiseIn(3_600_000)
  const workflowId = `slept/${id}`
  const { taskQueue } = product.parts.config.temporal
  await product.parts.database.pool.query('UPDATE scheduled_messages SET send_at_ts = now() WHERE id = $1', [id])
  const args = [{ id, sendAtMs: Date.now() + 2_000 }]
  await client.workflow.start('scheduledMessageWorkflow', { workflowId, taskQueue, args })
  await record('scheduled-message-slept-in-code', workflowId)
}, 90_000)

test('delivery-sent', async () => {
  const { parts, botUuid } = product
  const session = await parts.sessions.resolve(ADMIN, { botUuid, launcherId: 'by-delivery', channel: 'onebot' })
  const steps = [{ aiName: 'local__brief', draftArgs: {} }]
  await startRun(product, session, steps)
  const { sessionKey } = session
  const [delivery] = await eventually(async () => {
    const found = await parts.stores.deliveries.list({ bots: 'all', sessionKey, limit: 1 })
    return found.length > 0 ? found : undefined
  })
  await record('delivery-sent', `delivery/${delivery!.id}`)
}, 90_000)

test('inbound-answered', async () => {
  const { parts, botUuid } = product
  const who = { launcherType: 'person', launcherId: 'by-inbound', senderId: 'mia' } as const
  const messages = [{ externalId: 'recorded', ...who, chain: [{ type: 'Plain' as const, text: 'tea' }] }]
  await parts.inbound.accept('onebot', botUuid, { messages })
  const { rows } = await parts.database.pool.query<{ id: string }>('SELECT id FROM inbound_messages')
  await record('inbound-answered', `inbound/${rows[0]!.id}`)
}, 90_000)

const workflowOfRun = async (automationId: string) =>
  eventually(async () => {
    const { rows } = await product.parts.database.pool.query<{ workflowId: string | null }>(
      'SELECT workflow_id FROM automation_runs WHERE automation_id = $1',
      [automationId],
    )
    return rows[0]?.workflowId
  })

async function automateIn(when: string): Promise<string> {
  const session = await product.session()
  const added = await product.parts.automations.add(session, { message: 'tea', at: when, language: 'en' })
  if (!added.ok) throw new Error(added.hint)
  return added.view.automation.id
}

test('automation-run-succeeded', async () => {
  await record('automation-run-succeeded', await workflowOfRun(await automateIn('in 2 seconds')))
}, 90_000)

test('automation-run-gone', async () => {
  const { taskQueue } = product.parts.config.temporal
  const args = [{ automationId: '0190a000-0000-7000-8000-000000000001' }]
  await client.workflow.execute(AUTOMATION_RUN_WORKFLOW, { workflowId: 'automation-run/gone', taskQueue, args })
  await record('automation-run-gone', 'automation-run/gone')
}, 90_000)

test('run-together', async () => {
  const step = { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 4 seconds' } }
  const late = { aiName: 'local__wait', draftArgs: { ms: 8_000, schedule: 'in 4 seconds' } }
  const plan = [step, late, { ...step, dependsOn: [0] }]
  const run = await startRun(product, await product.session(), plan)
  await record('run-together', `run/${run.id}`)
}, 90_000)

test('dream', async () => {
  const { taskQueue } = product.parts.config.temporal
  await client.workflow.execute(DREAM_WORKFLOW, { workflowId: 'dream', taskQueue, args: [] })
  await record('dream', 'dream')
}, 90_000)

test('retention', async () => {
  const { taskQueue } = product.parts.config.temporal
  await client.workflow.execute(RETENTION_WORKFLOW, { workflowId: 'retention', taskQueue, args: [] })
  await record('retention', 'retention')
}, 90_000)

test('scheduled-message-quiet', async () => {
  const session = await product.session()
  const { notifications, scheduledMessages } = product.parts.stores
  await product.parts.stores.sessions.update(session.sessionKey, { timezone: 'UTC' })
  // An operator ends it while it waits.
  const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16)
  await notifications.change(session.sessionKey, { quietHours: { start: clock(-2), end: clock(60) } })
  const { id } = await promise(product, session, new Date(Date.now() + 500))
  await eventually(async () => (await scheduledMessages.find(id))?.deferredFrom, 60_000)
  const handle = client.workflow.getHandle(`scheduled-message/${id}`)
  const isAsleep = async () =>
    (await handle.fetchHistory()).events?.some((event) => event.upsertWorkflowSearchAttributesEventAttributes)
  await eventually(isAsleep, 60_000)
  await handle.cancel()
  await record('scheduled-message-quiet', `scheduled-message/${id}`)
}, 90_000)

test('heartbeat', async () => {
  const { taskQueue } = product.parts.config.temporal
  await client.workflow.execute(HEARTBEAT_WORKFLOW, { workflowId: 'heartbeat', taskQueue, args: [] })
  await record('heartbeat', 'heartbeat')
}, 90_000)

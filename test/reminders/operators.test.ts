import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { calls, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { temporalAddress, temporalBinary } from '../support/services'
import { findContradictions, promise } from './reminder-fixture'

const execute = promisify(execFile)
const inOneHour = () => new Date(Date.now() + 3_600_000)
const CANARY = 'canary-7f3a-what-a-person-wrote'

let model: ScriptedModel
let product: Product

beforeAll(async () => {
  model = await startScriptedModel()
  product = await buildProduct({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' })
  await product.startWorker()
}, 60_000)
afterAll(async () => {
  await product.close()
  await model.close()
})

/** The real command, as an operator types it. */
async function temporal(...args: string[]): Promise<string> {
  const place = ['--address', temporalAddress(), '--namespace', product.namespace]
  const { stdout } = await execute(temporalBinary(), [...args, ...place], { timeout: 60_000, maxBuffer: 1e8 })
  return stdout
}

async function promiseStarted(session: Session, sendAt = inOneHour()) {
  const message = await promise(product, session, sendAt, CANARY)
  const workflowId = `scheduled-message/${message.id}`
  await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) === 'open')
  return { id: message.id, workflowId }
}

const ended = (id: string, limitMs: number) =>
  eventually(async () => {
    const row = await product.parts.stores.scheduledMessages.find(id)
    return row?.status === 'pending' ? undefined : row
  }, limitMs)

test('`temporal workflow cancel` marks the row cancelled, and the person finds it in the list', async () => {
  const session = await product.session()
  const { id, workflowId } = await promiseStarted(session)
  await temporal('workflow', 'cancel', '-w', workflowId)
  expect(await ended(id, 15_000)).toMatchObject({ status: 'cancelled', cancelReason: 'cancelled by operator' })
  await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) === 'cancelled')

  model.setScript([calls('list_scheduled_private_messages', { status: 'cancelled' }), says('One was cancelled.')])
  const { tool_calls: made } = await product.parts.chat.send(session, { message: 'what now?', senderId: 'mia' })
  expect(made[0]?.result).toMatchObject({ count: 1, scheduled_messages: [{ task_id: id, status: 'cancelled' }] })
  const list = await product.parts.stores.promises.list({ bots: 'all', sessionKey: session.sessionKey, limit: 10 })
  expect(list).toMatchObject([{ id, state: 'cancelled' }])
}, 90_000)

test('a terminated workflow is noticed before it is due: the row says so, and nothing is sent again', async () => {
  const session = await product.session()
  const { id, workflowId } = await promiseStarted(session, new Date(Date.now() + 25_000))
  await temporal('workflow', 'terminate', '-w', workflowId, '--reason', 'test')
  await eventually(async () =>
    (await product.parts.reconcile()).cancelled > 0 ? true : ended(id, 1).catch(() => false),
  )
  const row = await ended(id, 60_000)
  expect(row).toMatchObject({ status: 'cancelled', cancelReason: 'terminated by operator' })
  expect(await product.parts.reconcile()).toMatchObject({ restarted: 0, cancelled: 0 })
  expect(await product.parts.stores.outbox.size()).toBe(0)
  expect(await findContradictions(product.parts.database.pool)).toEqual({})
}, 90_000)

test('an operator finds promises by bot, session and due time, reads when they are due, and never their text', async () => {
  const session = await product.session()
  const { workflowId } = await promiseStarted(session)
  const { sessionKey } = session
  const query = `PunctualKind = 'scheduled_message' AND PunctualBot = '${product.botUuid}' AND PunctualSession = '${sessionKey}'
    AND PunctualDueAt > '${new Date().toISOString()}' AND PunctualDueAt < '${new Date(Date.now() + 7_200_000).toISOString()}'`
  const listed = await eventually(async () => {
    const text = await temporal('workflow', 'list', '--query', query, '-o', 'json')
    return text.includes(workflowId) ? text : undefined
  })
  const described = await temporal('workflow', 'describe', '-w', workflowId, '-o', 'json')
  const history = await temporal('workflow', 'show', '-w', workflowId, '-o', 'json')
  expect(described + history).toContain('Private message, due')
  for (const text of [listed, described, history]) expect(text).not.toContain(CANARY)
  for (const text of [listed, described, history]) {
    expect(text).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 24))
  }
}, 90_000)

test('every pending message of a session is cancelled by one command with a query', async () => {
  const session = await product.session()
  const started = [await promiseStarted(session), await promiseStarted(session)]
  const query = `PunctualSession = '${session.sessionKey}' AND ExecutionStatus = 'Running'`
  await eventually(async () => (await temporal('workflow', 'count', '--query', query)).includes('2'))
  await temporal('workflow', 'cancel', '--query', query, '--yes', '--reason', 'test')
  for (const { id } of started) expect(await ended(id, 45_000)).toMatchObject({ status: 'cancelled' })
}, 120_000)

test('an operator finds what failed and what was cancelled by its outcome', async () => {
  const { id, workflowId } = await promiseStarted(await product.session())
  await temporal('workflow', 'cancel', '-w', workflowId)
  await ended(id, 15_000)
  const query = `PunctualOutcome = 'cancelled' AND PunctualKind = 'scheduled_message'`
  await eventually(async () =>
    (await temporal('workflow', 'list', '--query', query, '-o', 'json')).includes(workflowId),
  )
}, 90_000)

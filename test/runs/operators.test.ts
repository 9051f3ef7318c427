import type { FastifyInstance } from 'fastify'
import type { Run } from '../../src/runs/contract'
import { WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import {
  createNotes,
  findRunContradictions,
  isGone,
  PLUGINS,
  resultOf,
  saidIn,
  startRun,
  storyOf,
  typesOf,
} from './run-fixture'
import { createTemporalCommand } from './temporal-command'

let product: Product
let app: FastifyInstance
let temporal: ReturnType<typeof createTemporalCommand>

beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  await product.startWorker()
  app = await product.serve()
  temporal = createTemporalCommand(product)
}, 60_000)
afterAll(async () => {
  await app.close()
  await product.close()
})

/** A run whose handler is at work and has a process of its own. */
async function startWorking() {
  const notes = createNotes('parent')
  const session = await product.session()
  const draftArgs = { notes: notes.file, schedule: 'in 90 seconds' }
  const run = await startRun(product, session, [{ aiName: 'local__parent', draftArgs }])
  const pids = await eventually(() => (notes.lines().length === 2 ? notes.lines().map(Number) : undefined), 60_000)
  return { run, session, notes, pids, workflowId: `run/${run.id}` }
}

async function expectOneCancelled(run: Run, reason: string): Promise<void> {
  const events = await storyOf(product, run.id)
  expect(typesOf(events)).toEqual(['args', 'tool_result', 'completed'])
  expect(resultOf(events)?.result).toMatchObject({ success: false, code: 'CANCELLED' })
  expect(events.at(-1)).toMatchObject({ status: 'cancelled' })
  expect((await product.parts.runs.find(run.id))?.run.cancelReason).toBe(reason)
}

test('`temporal workflow cancel` aborts the handler and ends in one CANCELLED', async () => {
  const { run, session, notes, pids, workflowId } = await startWorking()
  await temporal('workflow', 'cancel', '-w', workflowId)
  await expectOneCancelled(run, 'cancelled by operator')
  await eventually(() => pids.every(isGone))
  expect(notes.lines()).toContain('aborted')
  await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) === 'cancelled')
  expect(await saidIn(product, session)).toEqual(['An operator has cancelled this.'])
}, 120_000)

test('a cancel over the API aborts the handler, ends in one CANCELLED and ends the workflow', async () => {
  const { run, notes, pids, workflowId } = await startWorking()
  const wanted = { name: 'test', scopes: ['send' as const], botUuids: [product.botUuid] }
  const { key } = await product.parts.access.createApiKey(ADMIN, wanted)
  const cancel = () => app.inject({ method: 'DELETE', url: `/api/v1/runs/${run.id}`, headers: { 'x-api-key': key } })
  expect((await cancel()).json()).toMatchObject({ data: { cancelled: true, run: { status: 'cancelled' } } })
  expect((await cancel()).json()).toMatchObject({ data: { cancelled: false, run: { status: 'cancelled' } } })
  await expectOneCancelled(run, 'cancelled')
  await eventually(() => pids.every(isGone))
  expect(notes.lines()).toContain('aborted')
  await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) !== 'open')
}, 120_000)

test('an operator finds runs by when their feedback is due, tells them apart, and finds a plan that failed', async () => {
  const session = await product.session()
  const step = { aiName: 'local__wait', draftArgs: { ms: 1, fail: 'no paint', schedule: 'in 20 seconds' } }
  const { id } = await startRun(product, session, [step])
  const find = (query: string) => async () =>
    (await temporal('workflow', 'list', '--query', query, '-o', 'json')).includes(`run/${id}`)
  const soon = new Date(Date.now() + 60_000).toISOString()
  await eventually(find(`PunctualKind = 'run' AND PunctualDueAt < '${soon}'`), 30_000)
  const described = await temporal('workflow', 'describe', '-w', `run/${id}`, '-o', 'json')
  const history = await temporal('workflow', 'show', '-w', `run/${id}`, '-o', 'json')
  expect(described + history).toContain('Plugin run: local__wait, feedback due 2')
  await storyOf(product, id)
  await eventually(find(`PunctualKind = 'run' AND PunctualOutcome = 'failed'`), 30_000)
}, 120_000)

test('a terminated run ends its handler, and the next pass of the reconciler says CANCELLED', async () => {
  const { run, pids, workflowId } = await startWorking()
  await temporal('workflow', 'terminate', '-w', workflowId, '--reason', 'test')
  await eventually(() => pids.every(isGone))
  await eventually(async () => {
    await product.parts.reconcile()
    return (await product.parts.runs.find(run.id))?.run.endedAt
  })
  await expectOneCancelled(run, 'terminated by operator')
  expect(await product.parts.reconcile()).toMatchObject({ restarted: 0, cancelled: 0 })
}, 120_000)

test('a run of which Temporal knows nothing any more is started again', async () => {
  const { pool } = product.parts.database
  const away = await product.another(WITHOUT_TEMPORAL)
  const draftArgs = { ms: 1, schedule: 'in 1 second' }
  const run = await startRun({ parts: away }, await product.session(), [{ aiName: 'local__wait', draftArgs }])
  await pool.query('DELETE FROM outbox WHERE ref_id = $1', [run.id])
  await pool.query(`UPDATE runs SET created_at = now() - interval '2 minutes' WHERE id = $1`, [run.id])
  if ((await product.parts.scheduler.stateOf(`run/${run.id}`)) === 'not_found') await product.parts.reconcile()
  expect(resultOf(await storyOf(product, run.id))?.result.code).toBe('OK')
}, 90_000)

test('afterwards rows, events, messages and streams agree', async () => {
  expect(await findRunContradictions(product.parts.database.pool)).toEqual({})
})

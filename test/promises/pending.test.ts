import { PLUGINS, startRun } from '../runs/run-fixture'
import { promise, WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'

let product: Product
beforeAll(async () => {
  product = await buildProduct({ ...WITHOUT_TEMPORAL, ...PLUGINS })
}, 60_000)
afterAll(() => product.close())

test('the figures count what is pending of every kind of promise, and what is overdue of it', async () => {
  const { parts } = product
  const session = await product.session()
  await promise(product, session, new Date(Date.now() + 3_600_000))
  const overdue = await promise(product, session, new Date(Date.now() + 3_600_000))
  const wait = { aiName: 'local__wait', draftArgs: { ms: 1, schedule: 'in 2 hours' } }
  await startRun(product, session, [wait, wait, { aiName: 'local__wait', draftArgs: { ms: 1 } }])
  const wish = { message: 'look', name: 'look', repeat: 'every 6 hours', language: 'en' as const }
  expect(await parts.automations.add(session, wish)).toMatchObject({ ok: true })
  await parts.database.pool.query(
    `UPDATE scheduled_messages SET send_at_ts = now() - interval '2 minutes' WHERE id = $1`,
    [overdue.id],
  )
  const figures = (await parts.processMetrics.registry.metrics())
    .split('\n')
    .filter((line) => /^punctual_promises\{/.test(line))
  expect(figures.toSorted()).toEqual([
    'punctual_promises{kind="automation",state="overdue"} 0',
    'punctual_promises{kind="automation",state="pending"} 1',
    'punctual_promises{kind="run",state="overdue"} 0',
    'punctual_promises{kind="run",state="pending"} 2',
    'punctual_promises{kind="scheduled_message",state="overdue"} 1',
    'punctual_promises{kind="scheduled_message",state="pending"} 2',
  ])
})

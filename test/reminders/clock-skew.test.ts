import type { OutgoingMessage } from '../../src/channels/channel'
import type { ScheduledMessage } from '../../src/reminders/contract'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { findContradictions, promise } from './reminder-fixture'

const SKEW_MS = 4_000

let product: Product
const received: OutgoingMessage[] = []

beforeAll(async () => {
  product = await buildProduct()
  product.parts.channels.set('telegram', {
    name: 'telegram',
    idempotent: false,
    enter: () => ({ release: () => undefined }),
    async send(message) {
      received.push(message)
      return { platformMessageId: null }
    },
  })
  await product.startWorker()
}, 60_000)
afterAll(() => product.close())

/** As if Temporal's clock ran ahead of PostgreSQL's by this much: the workflow wakes, and the row is not due. */
async function makeDueLater({ id }: ScheduledMessage): Promise<void> {
  await product.parts.database.pool.query(
    `UPDATE scheduled_messages SET send_at_ts = send_at_ts + make_interval(secs => $2) WHERE id = $1`,
    [id, SKEW_MS / 1_000],
  )
}

const sent = (id: string) =>
  eventually(async () => {
    const row = await product.parts.stores.scheduledMessages.find(id)
    return row?.status === 'sent' ? row : undefined
  }, 45_000)

test.each(['web', 'telegram'] as const)(
  'a workflow that wakes before the row is due on %s sleeps again and sends once, not early',
  async (channel) => {
    const { botUuid } = product
    const session = await product.parts.sessions.resolve(ADMIN, { botUuid, launcherId: `skew-${channel}`, channel })
    const message = await promise(product, session, new Date(Date.now() + 5_000), `by ${channel}`)
    const workflowId = `scheduled-message/${message.id}`
    await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) === 'open')
    await makeDueLater(message)
    const row = await sent(message.id)
    expect(row.sentAt?.getTime()).toBeGreaterThanOrEqual(message.sendAt.getTime() + SKEW_MS)
    await eventually(async () => (await product.parts.scheduler.stateOf(workflowId)) === 'completed')
    expect(await findContradictions(product.parts.database.pool)).toEqual({})
    expect(received.filter(({ text }) => text === `by ${channel}`)).toHaveLength(channel === 'web' ? 0 : 1)
  },
  90_000,
)

test('a workflow that ended although its row is pending is shown as a failure, not kept silent', async () => {
  const session = await product.session()
  const message = await promise(product, session, new Date(Date.now() + 1_000))
  await sent(message.id)
  await eventually(
    async () => (await product.parts.scheduler.stateOf(`scheduled-message/${message.id}`)) === 'completed',
  )
  const { pool } = product.parts.database
  await pool.query(`DELETE FROM message_history WHERE source_ref = 'scheduled_message:' || $1`, [message.id])
  await pool.query(
    `UPDATE scheduled_messages SET status = 'pending', sent_message_id = NULL, sent_at_ts = NULL,
       channel = 'webhook', send_at_ts = now() - interval '2 minutes' WHERE id = $1`,
    [message.id],
  )
  // The worker's own heartbeat may be passing too: whoever finds the row first ends it, and the others find it ended.
  await Promise.all([product.parts.reconcile(), product.parts.reconcile()])
  expect(await product.parts.stores.scheduledMessages.find(message.id)).toMatchObject({
    status: 'failed',
    lastError: 'the workflow ended without keeping it',
  })
  const { rows } = await pool.query(
    `SELECT data->>'state' AS state FROM session_events
     WHERE name = 'promise' AND data->>'id' = $1 AND data->>'state' = 'failed'`,
    [message.id],
  )
  expect(rows).toEqual([{ state: 'failed' }])
}, 60_000)

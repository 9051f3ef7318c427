import type { ChannelFailure } from '../../src/channels/channel'
import { createLanes } from '../../src/channels/lanes'
import { eventually } from '../support/eventually'
import { buildWebhooks, messageOf } from './webhook-fixture'

let webhooks: Awaited<ReturnType<typeof buildWebhooks>>
beforeAll(async () => {
  webhooks = await buildWebhooks({ deadlineMs: 2_000, callsPerBot: 4 })
  await webhooks.pointAt('bot-slow')
  await webhooks.pointAt('bot-quick')
})
afterAll(() => webhooks.close())

async function timed(work: Promise<unknown>): Promise<{ outcome: string; tookMs: number }> {
  const began = Date.now()
  const outcome = await work.then(
    () => 'accepted',
    (failure: ChannelFailure) => failure.code,
  )
  return { outcome, tookMs: Date.now() - began }
}

test.each([
  ['hangs', { kind: 'hang' }, 'webhook_timeout'],
  ['drips its head', { kind: 'drip', part: 'head', gapMs: 50 }, 'webhook_timeout'],
  // It said 200: the message is there, whatever its body does.
  ['drips its body after 200', { kind: 'drip', part: 'body', gapMs: 50 }, 'accepted'],
  ['sends 10 GB', { kind: 'endless' }, 'accepted'],
] as const)('D3: a try at an endpoint that %s ends in time', async (_name, step, expected) => {
  await webhooks.ledger.behave(step)
  const { outcome, tookMs } = await timed(webhooks.send(messageOf('bot-slow')))
  expect(outcome).toBe(expected)
  expect(tookMs).toBeLessThan(4_000)
})

test('D3: a hundred answers of 10 GB do not grow the memory', async () => {
  await webhooks.ledger.behave({ kind: 'endless' })
  await webhooks.send(messageOf('bot-slow'))
  const before = process.memoryUsage().rss
  for (let call = 0; call < 100; call++) await webhooks.send(messageOf('bot-slow'))
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
})

test('D3: a bot whose endpoint hangs keeps few places, and delays no other bot', async () => {
  const before = await hangs()
  await webhooks.ledger.behave({ kind: 'hang', times: 4 })
  const slow = Array.from({ length: 20 }, () => timed(webhooks.send(messageOf('bot-slow'))))
  await eventually(async () => (await hangs()) === before + 4, 5_000, 10)
  expect((await timed(webhooks.send(messageOf('bot-quick')))).outcome).toBe('accepted')
  // Nobody got a place within a second, because the four keep theirs for two.
  const outcomes = (await Promise.all(slow)).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'webhook_timeout')).toHaveLength(4)
  expect(outcomes.filter((outcome) => outcome === 'webhook_busy')).toHaveLength(16)
  await webhooks.send(messageOf('bot-slow'))
})

test('those who find no place come back at different times', async () => {
  await webhooks.ledger.behave({ kind: 'hang' })
  const delays = await Promise.all(Array.from({ length: 12 }, () => delayOf(webhooks.send(messageOf('bot-slow')))))
  const busy = delays.filter((delay) => delay !== undefined)
  expect(busy).toHaveLength(8)
  expect(Math.min(...busy)).toBeGreaterThanOrEqual(1_000)
  expect(Math.max(...busy)).toBeLessThanOrEqual(3_000)
  expect(new Set(busy).size).toBeGreaterThan(1)
})

test('a place that is left goes to the one who waited first', async () => {
  const lanes = createLanes({ width: 1, waitMs: 5_000 })
  const done: string[] = []
  const work = (name: string) => lanes.run('bot', async () => void done.push(name))
  const other = lanes.run('another', async () => 'free')
  const { promise, open } = createGate()
  const first = lanes.run('bot', () => promise)
  const rest = ['second', 'third', 'fourth'].map(work)
  expect(await other).toBe('free')
  expect(done).toEqual([])
  open()
  await Promise.all([first, ...rest])
  expect(done).toEqual(['second', 'third', 'fourth'])
})

function createGate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { promise, open: () => open() }
}

const delayOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (failure: ChannelFailure) => failure.retryAfterMs,
  )
const hangs = async () => (await webhooks.ledger.entries()).filter(({ answer }) => answer === 'hang').length

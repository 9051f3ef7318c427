import type { ChannelFailure } from '../../src/channels/channel'
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
  const slow = Array.from({ length: 20 }, () => timed(webhooks.sendInPlace(messageOf('bot-slow'))))
  await eventually(async () => (await hangs()) === before + 4, 5_000, 10)
  expect((await timed(webhooks.sendInPlace(messageOf('bot-quick')))).outcome).toBe('accepted')
  const outcomes = (await Promise.all(slow)).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'webhook_timeout')).toHaveLength(4)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(16)
  expect((await timed(webhooks.sendInPlace(messageOf('bot-slow')))).outcome).toBe('accepted')
})

const hangs = async () => (await webhooks.ledger.entries()).filter(({ answer }) => answer === 'hang').length

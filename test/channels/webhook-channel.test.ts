import { Webhook } from 'standardwebhooks'
import { ChannelFailure } from '../../src/channels/channel'
import { createWebhookInbound } from '../../src/channels/webhook/inbound'
import { ROTATION_MS } from '../../src/channels/webhook/secrets'
import { errorCode } from '../../src/errors'
import { findFreePort } from '../support/services'
import { buildWebhooks, messageOf, newSecret } from './webhook-fixture'

let webhooks: Awaited<ReturnType<typeof buildWebhooks>>
beforeAll(async () => {
  webhooks = await buildWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  await webhooks.ledger.behave()
  await webhooks.ledger.trust(webhooks.ledger.secret)
})

async function failureOf(promise: Promise<unknown>): Promise<ChannelFailure> {
  const error: unknown = await promise.then(
    () => 'accepted',
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ChannelFailure)
  const failure = error as ChannelFailure
  expect(failure.message + failure.stack).not.toContain('CANARY-TEXT')
  return failure
}
const NOT_THE_CLOCK = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
]
const entriesOf = async (id: string) => (await webhooks.ledger.entries()).filter((entry) => entry.webhookId === id)

test('posts a signed message and keeps the receipt', async () => {
  await webhooks.pointAt('bot-one')
  const message = messageOf('bot-one')
  expect((await webhooks.send(message)).platformMessageId).toMatch(/^ledger-\d+$/)
  const [entry, ...more] = await entriesOf(message.id)
  expect(more).toEqual([])
  expect(entry).toMatchObject({ verified: true, accepted: true, answer: 200 })
  expect(JSON.parse(entry?.body ?? '')).toEqual({
    ...{ type: 'message', id: message.id, bot_uuid: 'bot-one', session_key: 'bot-one:webhook:person:mia' },
    ...{ launcher_type: 'person', launcher_id: 'mia', source_kind: 'scheduled_send', text: message.text },
    reply_to: null,
    ...{ message_chain: [{ type: 'Plain', text: message.text }] },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
  })
})

test('is signed at the time of the database, although the clock of the process is an hour wrong', async () => {
  await webhooks.pointAt('bot-one')
  const message = messageOf('bot-one')
  jest.useFakeTimers({ now: Date.now() + 3_600_000, doNotFake: NOT_THE_CLOCK })
  try {
    await webhooks.send(message)
  } finally {
    jest.useRealTimers()
  }
  expect(await entriesOf(message.id)).toMatchObject([{ verified: true, accepted: true }])
})

test.each([2, -2])(
  'an endpoint is set and turned off by the clock of the database, though ours is %i hours wrong',
  async (hours) => {
    const right = async () => {
      const { rows } = await webhooks.database.pool.query<Record<string, boolean | null>>(
        `SELECT abs(extract(epoch FROM now() - updated_at)) < 600 AS updated,
         abs(extract(epoch FROM now() - disabled_at)) < 600 AS disabled
       FROM bot_channels WHERE bot_uuid = $1`,
        [`bot-clock${hours}`],
      )
      return rows
    }
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: NOT_THE_CLOCK })
    try {
      await webhooks.pointAt(`bot-clock${hours}`)
      expect(await right()).toEqual([{ updated: true, disabled: null }])
      await webhooks.pointAt(`bot-clock${hours}`)
      expect(await right()).toEqual([{ updated: true, disabled: null }])
      const cause = { url: webhooks.ledger.url, reason: 'answered 410 Gone' }
      expect(await webhooks.store.disable(`bot-clock${hours}`, 'webhook', cause)).toBe(true)
      expect(await right()).toEqual([{ updated: true, disabled: true }])
    } finally {
      jest.useRealTimers()
    }
  },
)

test.each([1, -1])(
  'what comes in is checked by the time of the database, although ours is %i hours wrong',
  async (hours) => {
    const [replaced, over] = [newSecret(), newSecret()]
    const inbound = createWebhookInbound(webhooks)
    const save = (bot: string, secret: string, untilMs: number) => {
      const secrets = { current: webhooks.ledger.secret, previous: { secret, untilMs } }
      return webhooks.accounts.save(bot, 'webhook', { settings: { url: webhooks.ledger.url }, secrets })
    }
    const now = await webhooks.clock.now()
    await save('bot-in', replaced, now.getTime() + 60_000)
    await save('bot-over', over, now.getTime() - 60_000)
    const body = JSON.stringify({ launcher_id: 'mia', text: 'hello' })
    const read = async (bot: string, secret: string, minutes: number) => {
      const at = new Date(now.getTime() + minutes * 60_000)
      const headers = {
        'webhook-id': 'their-1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign('their-1', at, body),
      }
      return inbound.read(bot, { headers, body }).then(
        ({ messages }) => messages.length,
        (error: unknown) => errorCode(error),
      )
    }
    jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: NOT_THE_CLOCK })
    try {
      expect(await read('bot-in', webhooks.ledger.secret, 0)).toBe(1)
      expect(await read('bot-in', webhooks.ledger.secret, -4)).toBe(1)
      expect(await read('bot-in', webhooks.ledger.secret, 4)).toBe(1)
      expect(await read('bot-in', replaced, 0)).toBe(1)
      for (const minutes of [-6, 6, hours * 60]) {
        expect(await read('bot-in', webhooks.ledger.secret, minutes)).toBe('unauthorized')
      }
      expect(await read('bot-over', over, 0)).toBe('unauthorized')
    } finally {
      jest.useRealTimers()
    }
  },
)

test('an answer names the message that it answers', async () => {
  await webhooks.pointAt('bot-reply')
  const message = { ...messageOf('bot-reply'), replyTo: 'their-message-7' }
  await webhooks.send(message)
  const [entry] = await entriesOf(message.id)
  expect(JSON.parse(entry?.body ?? '')).toMatchObject({ id: message.id, reply_to: 'their-message-7' })
})

test('D1: five 500 and a 429 may pass, Retry-After is honoured, and the id never changes', async () => {
  await webhooks.pointAt('bot-d1')
  const message = messageOf('bot-d1')
  const slowDown = { kind: 'status', status: 429, headers: { 'retry-after': '7' }, times: 1 } as const
  await webhooks.ledger.behave({ kind: 'status', status: 500, times: 5 }, slowDown)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const failure = await failureOf(webhooks.send(message))
    expect(failure).toMatchObject({ code: 'webhook_unavailable', mayPass: true, retryAfterMs: undefined })
  }
  const limited = await failureOf(webhooks.send(message))
  expect(limited).toMatchObject({ code: 'webhook_rate_limited', mayPass: true, retryAfterMs: 7_000 })
  await webhooks.send(message)
  const entries = await entriesOf(message.id)
  expect(entries.map(({ answer }) => answer)).toEqual([500, 500, 500, 500, 500, 429, 200])
  expect(entries.every(({ verified }) => verified)).toBe(true)
})

test('a Retry-After that is a date is honoured, and none is longer than an hour', async () => {
  await webhooks.pointAt('bot-later')
  const later = new Date(Date.now() + 60_000).toUTCString()
  for (const [value, min, max] of [
    [later, 50_000, 60_000],
    ['86400', 3_600_000, 3_600_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0, 0],
  ] as const) {
    await webhooks.ledger.behave({ kind: 'status', status: 503, headers: { 'retry-after': value } })
    const { retryAfterMs, mayPass } = await failureOf(webhooks.send(messageOf('bot-later')))
    expect(mayPass).toBe(true)
    expect(retryAfterMs).toBeGreaterThanOrEqual(min)
    expect(retryAfterMs).toBeLessThanOrEqual(max)
  }
  await webhooks.ledger.behave({ kind: 'status', status: 503, headers: { 'retry-after': 'soon' } })
  expect(await failureOf(webhooks.send(messageOf('bot-later')))).toMatchObject({
    mayPass: true,
    retryAfterMs: undefined,
  })
})

test.each([408, 425, 500, 502, 503, 504])('%d may pass', async (status) => {
  await webhooks.pointAt('bot-passing')
  await webhooks.ledger.behave({ kind: 'status', status })
  expect(await failureOf(webhooks.send(messageOf('bot-passing')))).toMatchObject({ mayPass: true })
})

test.each([400, 401, 403, 404, 405, 413, 422])('D2: %d is final', async (status) => {
  await webhooks.pointAt('bot-d2')
  await webhooks.ledger.behave({ kind: 'status', status })
  const failure = await failureOf(webhooks.send(messageOf('bot-d2')))
  expect(failure).toMatchObject({ code: 'webhook_rejected', mayPass: false })
  expect(failure.message).toContain(String(status))
  expect(await webhooks.accounts.find('bot-d2', 'webhook')).toMatchObject({ disabledAt: null })
})

test('D2: 410 turns the endpoint off until it is set again', async () => {
  await webhooks.pointAt('bot-gone')
  await webhooks.ledger.behave({ kind: 'status', status: 410 })
  expect(await failureOf(webhooks.send(messageOf('bot-gone')))).toMatchObject({ code: 'webhook_gone', mayPass: false })
  expect(await webhooks.accounts.find('bot-gone', 'webhook')).toMatchObject({ disabledReason: 'answered 410 Gone' })
  await webhooks.ledger.behave()
  const second = messageOf('bot-gone')
  expect(await failureOf(webhooks.send(second))).toMatchObject({ code: 'webhook_disabled', mayPass: false })
  expect(await entriesOf(second.id)).toEqual([])
  await webhooks.pointAt('bot-gone')
  await webhooks.send(second)
  expect(await entriesOf(second.id)).toHaveLength(1)
})

test('a 410 of an old URL does not turn off the new one', async () => {
  await webhooks.pointAt('bot-moved', `${webhooks.ledger.url}new`)
  expect(
    await webhooks.accounts.disable('bot-moved', 'webhook', { url: `${webhooks.ledger.url}old`, reason: '410' }),
  ).toBe(false)
  expect(await webhooks.accounts.find('bot-moved', 'webhook')).toMatchObject({ disabledAt: null })
})

test('a redirect is a failure, not a second place to send to', async () => {
  await webhooks.pointAt('bot-redirected')
  const message = messageOf('bot-redirected')
  await webhooks.ledger.behave({ kind: 'status', status: 307, headers: { location: '/elsewhere' } })
  expect(await failureOf(webhooks.send(message))).toMatchObject({ code: 'webhook_redirected', mayPass: false })
  expect(await entriesOf(message.id)).toHaveLength(1)
})

test('no webhook, a private address and a closed port each have their own reason', async () => {
  const absent = await failureOf(webhooks.send(messageOf('bot-none')))
  expect(absent).toMatchObject({ code: 'webhook_not_configured', mayPass: false })
  await webhooks.pointAt('bot-inside', 'http://169.254.169.254/latest/meta-data')
  const refused = await failureOf(webhooks.send(messageOf('bot-inside')))
  expect(refused).toMatchObject({ code: 'webhook_refused', mayPass: false })
  expect(refused.message).toContain('TRUSTED_EGRESS_HOSTS')
  await webhooks.pointAt('bot-closed', `http://127.0.0.1:${await findFreePort()}`)
  const closed = await failureOf(webhooks.send(messageOf('bot-closed')))
  expect(closed).toMatchObject({ code: 'webhook_unreachable', mayPass: true })
})

test('D6: old and new secret both verify during the rotation, and the old one no longer after it', async () => {
  const [old, fresh] = [newSecret(), newSecret()]
  const rotating = (untilMs: number) =>
    webhooks.accounts.save('bot-rotating', 'webhook', {
      settings: { url: webhooks.ledger.url },
      secrets: { current: fresh, previous: { secret: old, untilMs } },
    })
  await rotating(Date.now() + ROTATION_MS)
  for (const secret of [old, fresh]) {
    await webhooks.ledger.trust(secret)
    await webhooks.send(messageOf('bot-rotating'))
  }
  await rotating(Date.now() - 1)
  await webhooks.send(messageOf('bot-rotating'))
  await webhooks.ledger.trust(old)
  expect(await failureOf(webhooks.send(messageOf('bot-rotating')))).toMatchObject({ code: 'webhook_rejected' })
})

import { PENDING_LIMIT_PER_SESSION, TEXT_LIMIT } from '../../src/reminders/contract'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { calls, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { countByStatus, schedule, WITHOUT_TEMPORAL } from './reminder-fixture'

let model: ScriptedModel
let product: Product

beforeAll(async () => {
  model = await startScriptedModel()
  product = await buildProduct({ ...WITHOUT_TEMPORAL, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' })
})
afterAll(async () => {
  await product.close()
  await model.close()
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
  const { pool } = product.parts.database
  const look = () => Promise.all([countByStatus(pool), product.parts.stores.outbox.size()])
  const before = await look()
  await work()
  expect(await look()).toEqual(before)
}

describe('a time that cannot be kept is refused and leaves nothing', () => {
  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['null', 'null'],
    ['no time', 'drink water'],
    ['a second ago', new Date(Date.now() - 1_000).toISOString()],
    ['1970', '1970-01-01T00:00:00Z'],
    ['a day that does not exist', '2027-02-29T09:00:00+08:00'],
    ['29 February 2027', '29 February 2027 9:00'],
    ['2027年2月29日', '2027年2月29日上午9点'],
    ['366 days ahead', inDays(366.5)],
    ['the end of time', '9999-12-31T23:59:59Z'],
    ['a hundred years', 'in 100 years'],
    ['1e400 seconds', 'in 1e400 seconds'],
    ['99999999999999999999 seconds', 'in 99999999999999999999 seconds'],
    ['a very long expression', `${'下周一上午'.repeat(500)}9点`],
  ])('%s', async (_name, sendAt) => {
    const session = await product.session()
    await expectNothingWritten(async () => {
      const outcome = await schedule(product, session, { sendAt })
      expect(outcome).toMatchObject({ ok: false, code: 'invalid_time' })
      expect(outcome.ok ? '' : outcome.hint).not.toBe('')
    })
  })

  it('364 days ahead are fine', async () => {
    const session = await product.session()
    expect(await schedule(product, session, { sendAt: inDays(364) })).toMatchObject({ ok: true })
  })
})

describe('a text that cannot be sent is refused', () => {
  it.each([
    ['empty_text', ''],
    ['empty_text', ' \n\t'],
    ['empty_text', '\u200b\u2060\ufeff\u3164\u{e0020}'],
    ['invalid_text', 'tea\0time'],
    ['invalid_text', 'half \ud83d'],
    ['text_too_long', 'x'.repeat(TEXT_LIMIT + 1)],
  ])('%s', async (reason, messageText) => {
    const session = await product.session()
    await expectNothingWritten(async () => {
      expect(await schedule(product, session, { sendAt: 'in 1 hour', messageText })).toMatchObject({
        ok: false,
        code: reason,
      })
    })
  })

  it('the longest text is kept to the last character, whatever it is made of', async () => {
    const messageText = '👩‍🚀𠮷é'.repeat(TEXT_LIMIT).slice(0, 200) + '喝'.repeat(TEXT_LIMIT - 200)
    const session = await product.session()
    const outcome = await schedule(product, session, { sendAt: 'in 1 hour', messageText: messageText.toWellFormed() })
    expect(outcome).toMatchObject({ ok: true, message: { messageText: messageText.toWellFormed() } })
  })
})

test(`at most ${PENDING_LIMIT_PER_SESSION} messages are pending in a session, however many are asked for at once`, async () => {
  const session = await product.session()
  const wishes = Array.from({ length: PENDING_LIMIT_PER_SESSION + 10 }, () =>
    schedule(product, session, { sendAt: 'in 2 hours' }),
  )
  const outcomes = await Promise.all(wishes)
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(PENDING_LIMIT_PER_SESSION)
  expect(outcomes.filter((outcome) => !outcome.ok && outcome.code === 'too_many_pending')).toHaveLength(10)

  const { scheduledMessages } = product.parts
  const pending = await scheduledMessages.list({
    bots: 'all',
    sessionKey: session.sessionKey,
    status: 'pending',
    limit: 500,
  })
  const replacing = await schedule(product, session, { sendAt: 'in 3 hours', replaceExisting: true })
  expect(replacing.ok && replacing.cancelledIds.toSorted()).toEqual(pending.map(({ id }) => id).toSorted())
  expect(await schedule(product, session, { sendAt: 'in 4 hours' })).toMatchObject({ ok: true, cancelledIds: [] })
})

describe('a group', () => {
  it('is refused, and nothing is written', async () => {
    const group = await product.session('team', 'group')
    await expectNothingWritten(async () => {
      const outcome = await schedule(product, group, { sendAt: 'in 1 hour' })
      expect(outcome).toMatchObject({ ok: false, code: 'not_private' })
    })
  })

  it('is not offered the tools; a model that calls one anyway gets nowhere', async () => {
    const group = await product.session('team', 'group')
    const wish = { send_at: 'in 1 hour', message_text: 'tea' }
    model.setScript([calls('schedule_private_message', wish), says('I cannot do that here')])
    const asked = model.requests.length
    await expectNothingWritten(async () => {
      const { tool_calls: made } = await product.parts.chat.send(group, { message: 'remind us', senderId: 'mia' })
      expect(made[0]?.result).toMatchObject({ success: false, reason: 'not_private' })
    })
    const offered = model.requests.slice(asked).flatMap(({ body }) => body.tools ?? [])
    expect(offered.filter(({ function: { name } }) => name.includes('private_message'))).toEqual([])
  })
})

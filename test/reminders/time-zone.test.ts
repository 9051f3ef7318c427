import { DateTime } from 'luxon'
import type { Session } from '../../src/conversation/session'
import type { Product as Parts } from '../../src/build/product'
import { readZone } from '../../src/time'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { WITHOUT_TEMPORAL } from './reminder-fixture'

let product: Product
let parts: Parts
beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
  parts = product.parts
}, 180_000)
afterAll(() => product.close())

const say = async (session: Session, message: string) => {
  const now = await parts.stores.sessions.find(session.sessionKey)
  return parts.chat.send(now ?? session, { message, senderId: 'me' })
}
const pendingOf = ({ sessionKey }: Session) =>
  parts.scheduledMessages.list({ bots: 'all', sessionKey, status: 'pending', limit: 100 })
const clockIn = (at: Date, zone: string) => DateTime.fromJSDate(at, { zone }).toFormat('HH:mm')

test.each([
  ['Europe/London', 'Europe/London'],
  ['london', 'Europe/London'],
  ['伦敦', 'Europe/London'],
  ['纽约时间', 'America/New_York'],
  ['new york', 'America/New_York'],
  ['San Francisco', 'America/Los_Angeles'],
  ['Kuala Lumpur', 'Asia/Kuala_Lumpur'],
  ['东京', 'Asia/Tokyo'],
  ['UTC+9', 'Etc/GMT-9'],
  ['GMT-5', 'Etc/GMT+5'],
  ['东八区', 'Etc/GMT-8'],
  ['UTC', 'Etc/UTC'],
  ['a meeting', undefined],
  ['PST', undefined],
  ['UTC+25', undefined],
  ['', undefined],
])('"%s" is %s', (text, zone) => {
  expect(readZone(text)).toBe(zone)
})

describe('by chat', () => {
  test.each([
    ['我在伦敦', 'Europe/London'],
    ['我的时区是 UTC+9', 'Etc/GMT-9'],
    ["I'm in Tokyo", 'Asia/Tokyo'],
    ['my time zone is America/New_York', 'America/New_York'],
  ])('%s', async (words, zone) => {
    const session = await product.session()
    const { effects, content } = await say(session, words)
    expect(effects).toMatchObject([{ did: 'changed', kind: 'time_zone', summary: zone }])
    expect(content).toContain(zone)
    expect(await parts.stores.zones.read(session.sessionKey)).toEqual({ timezone: zone, source: 'said' })
  })

  test('a place that nobody knows is asked for, and changes nothing', async () => {
    const session = await product.session()
    const { content, effects } = await say(session, '我的时区是月球')
    expect(content).toContain('哪个城市')
    expect(effects).toMatchObject([{ did: 'refused', reason: 'unknown_zone' }])
    expect((await parts.stores.zones.read(session.sessionKey)).source).toBe('default')
  })

  test('while it is only the default the first clock time asks, once, and a length of time never', async () => {
    const session = await product.session()
    expect((await say(session, '20分钟后提醒我喝水')).content).not.toContain('默认时区')
    expect((await say(session, '明早9点提醒我开会')).content).toContain('默认时区')
    expect((await say(session, '明早10点提醒我买菜')).content).not.toContain('默认时区')
    const told = await product.session()
    await say(told, '我在北京')
    expect((await say(told, '明早9点提醒我开会')).content).not.toContain('默认时区')
  })

  test('what is pending by the clock is offered to move, and moves with a yes; a length of time stays', async () => {
    const session = await product.session()
    await say(session, '明早9点提醒我开会')
    await say(session, '20分钟后提醒我喝水')
    const water = (await pendingOf(session))[0]!
    const offered = await say(session, '我在伦敦')
    expect(offered.content).toMatch(/要移到新时区的同一钟点吗/)
    expect((await pendingOf(session)).map(({ sendAt }) => clockIn(sendAt, 'Asia/Shanghai'))).toContain('09:00')
    const { effects } = await say(session, '好的')
    expect(effects.map(({ did }) => did)).toEqual(['changed', 'cancelled', 'changed'])
    const after = await pendingOf(session)
    expect(after).toHaveLength(2)
    expect(after.find(({ id }) => id === water.id)).toMatchObject({ sendAt: water.sendAt })
    expect(clockIn(after.find(({ byClock }) => byClock)!.sendAt, 'Europe/London')).toBe('09:00')
  })
})

test('what a person said is not overridden by what their browser says with each message, only on purpose', async () => {
  const session = await product.session()
  await say(session, '我在伦敦')
  const address = { sessionKey: session.sessionKey, botUuid: session.botUuid, timezone: 'Asia/Tokyo' }
  expect((await parts.sessions.resolve(ADMIN, address)).timezone).toBe('Europe/London')
  const app = await product.serve()
  const answer = await app.inject({
    method: 'PATCH',
    url: `/api/v1/sessions/${encodeURIComponent(session.sessionKey)}`,
    headers: { authorization: `Bearer ${await product.addKey()}` },
    payload: { timezone: 'Asia/Tokyo' },
  })
  expect(answer.json<{ data: object }>().data).toMatchObject({ timezone: 'Asia/Tokyo', timezone_source: 'api' })
})

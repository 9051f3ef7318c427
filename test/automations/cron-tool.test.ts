import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../../src/conversation/session'
import type { ToolContext } from '../../src/contracts/tool'
import type { JsonObject } from '../../src/contracts/words'
import { createCron } from '../../src/automations/tools/cron'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { callCron } from './automation-fixture'

let product: Product
let session: Session

beforeAll(async () => {
  product = await buildProduct()
}, 60_000)
afterAll(() => product.close())
beforeEach(async () => {
  session = await product.session()
})

const call = (args: JsonObject, change?: Partial<ToolContext>) => callCron(product, session, args, change)
const add = (when: JsonObject, change?: Partial<ToolContext>) =>
  call({ action: 'add', message: 'check the oven', ...when }, change)
const stored = () => product.parts.automations.list(session.sessionKey)

test('what it adds is bound to the session of the turn and has no target of its own', async () => {
  const added = await add({ repeat: 'every weekday at 9am', name: 'oven' })
  expect(added).toMatchObject({ ok: true, data: { name: 'oven', state: 'active' } })
  const [view] = await stored()
  expect(view?.automation).toMatchObject({ sessionKey: session.sessionKey, legacy: null, kind: 'agent_turn' })
  const { properties } = createCron(product.parts.automations).parameters as { properties: object }
  for (const field of ['deliver', 'channel', 'to', 'session_key']) expect(properties).not.toHaveProperty(field)
})

test('a day as ends_at is included, in the zone of the automation', async () => {
  await add({ repeat: 'every day at 6pm', ends_at: '2027-06-24', tz: 'America/New_York' })
  await add({ repeat: '每天纽约时间18点', ends_at: '2027年6月24日' })
  for (const { automation } of await stored()) {
    expect(automation.endsAt?.toISOString()).toBe('2027-06-25T03:59:59.999Z')
  }
  expect(await stored()).toHaveLength(2)
})

test.each<[string, JsonObject, string]>([
  ['an interval under 60 s', { every_seconds: 59 }, 'too_often'],
  ['a phrase under 60 s', { repeat: 'every 30 seconds' }, 'too_often'],
  ['an unreadable cron expression', { cron_expr: '61 * * * *' }, 'invalid_cron'],
  ['a cron expression with seconds', { cron_expr: '0 0 9 * * 1' }, 'invalid_cron'],
  ['an unreadable phrase', { repeat: 'whenever the moon smiles' }, 'not_understood'],
  ['a time that has passed', { at: '2020-01-01T09:00:00Z' }, 'past'],
  ['no time at all', {}, 'none_given'],
  ['two times', { every_seconds: 600, cron_expr: '0 9 * * *' }, 'several_given'],
  ['a zone that does not exist', { cron_expr: '0 9 * * *', tz: 'Mars/Olympus' }, 'bad_timezone'],
  ['an end before the first run', { repeat: 'every 6 hours', ends_at: 'in 5 minutes' }, 'never'],
])('refuses %s with a reason and a hint, and keeps nothing', async (_words, when, reason) => {
  expect(await add(when)).toMatchObject({ ok: false, code: reason, hint: expect.stringMatching(/\w/) as string })
  expect(await stored()).toEqual([])
})

test('refuses an automation that says nothing to do', async () => {
  expect(await call({ action: 'add', message: '  ', every_seconds: 60 })).toMatchObject({ code: 'empty_message' })
})

test('fails when there is no session to bind to', async () => {
  const nowhere = { ...session, sessionKey: `nowhere:${uuidv7()}` }
  expect(await add({ every_seconds: 60 }, { session: nowhere })).toMatchObject({ ok: false, code: 'no_session' })
  const { rows } = await product.parts.database.pool.query('SELECT 1 FROM automations WHERE session_key = $1', [
    nowhere.sessionKey,
  ])
  expect(rows).toEqual([])
})

test('is not offered in an automation turn, and says why', () => {
  const tool = createCron(product.parts.automations)
  expect([tool.isOffered(session, 'user'), tool.isOffered(session, 'automation')]).toEqual([true, false])
  expect(tool.whyNot?.(session, 'automation')).toMatchObject({ code: 'inside_automation' })
})

test('the 21st of a session is refused; one that is removed makes room', async () => {
  const first = await add({ every_seconds: 3_600 })
  const others = await Promise.all(Array.from({ length: 21 }, () => add({ every_seconds: 3_600 })))
  expect(others.filter(({ ok }) => ok)).toHaveLength(19)
  expect(others.filter((result) => !result.ok && result.code === 'too_many')).toHaveLength(2)
  expect(await stored()).toHaveLength(20)
  const id = first.ok ? first.data['automation_id']! : ''
  expect(await call({ action: 'remove', automation_id: id })).toMatchObject({ ok: true, data: { removed: true } })
  expect(await add({ every_seconds: 3_600 })).toMatchObject({ ok: true })
})

test.each([
  ['heartbeat', 'protected'],
  ['dream', 'protected'],
  ['system/dream', 'protected'],
  [undefined, 'which_one'],
  ['2', 'not_found'],
  [uuidv7(), 'not_found'],
])('removing %s answers %s', async (id, reason) => {
  const args: JsonObject = id === undefined ? { action: 'remove' } : { action: 'remove', automation_id: id }
  expect(await call(args)).toMatchObject({ ok: false, code: reason })
})

test("removes nothing of another person's chat", async () => {
  const added = await add({ every_seconds: 3_600 })
  const id = added.ok ? added.data['automation_id']! : ''
  const other = await product.session()
  const taken = await call({ action: 'remove', automation_id: id }, { session: other })
  expect(taken).toMatchObject({ ok: false, code: 'not_found' })
  expect(await stored()).toHaveLength(1)
})

import type { FastifyInstance } from 'fastify'
import { DateTime } from 'luxon'
import { automationScheduleId } from '../../src/automations/contract'
import type { JsonObject } from '../../src/contracts/words'
import type { Session } from '../../src/conversation/session'
import { nextRuns } from '../../src/time'
import { eventually } from '../support/eventually'
import { matchingTimes } from '../support/matching-times'
import { says } from '../support/scripted-model'
import { buildWorld, callCron } from './automation-fixture'
import type { World } from './automation-fixture'

const DAY = 86_400_000
const MONTHLY = 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0'

let world: World
let app: FastifyInstance
let key: string
let session: Session
beforeAll(async () => {
  world = await buildWorld(() => says('the oven is off'))
  app = await world.product.serve()
  key = await world.product.addKey('read')
}, 120_000)
afterAll(() => world.close())
beforeEach(async () => {
  session = await world.product.session()
})

/** Its id, after the tool `cron` has made it; the zone is one whose clocks change. */
async function add(when: JsonObject): Promise<string> {
  const wish = { action: 'add', message: 'check the oven', name: 'oven', tz: 'America/New_York', ...when }
  const added = await callCron(world.product, session, wish)
  if (!added.ok) throw new Error(`${added.code}: ${added.hint}`)
  const [made] = await world.product.parts.automations.list(session.sessionKey)
  expect(added.data).toMatchObject({ automation_id: made!.automation.id, state: 'active' })
  return made!.automation.id
}

const stored = async (id: string) => (await world.product.parts.automations.find(id))!.automation

interface Shown {
  schedule: { kind: string; rule: string; timezone: string }
  words: string
  next_runs: string[]
  ends_at: string | null
  max_runs: number | null
}
async function shown(id: string): Promise<Shown> {
  const url = `/api/v1/automations/${id}`
  return (await app.inject({ url, headers: { 'x-api-key': key } })).json<{ data: Shown }>().data
}

/** The schedule in Temporal, once it has been told. */
const scheduled = (id: string) =>
  eventually(() =>
    world.temporal.schedule
      .getHandle(automationScheduleId(id))
      .describe()
      .catch(() => null),
  )
const isos = (dates: Date[]) => dates.map((date) => date.toISOString())

const WEEKDAYS = { tuesday: 2, friday: 5 }
const isLastOfMonth = (at: DateTime, { days }: { days: number }) => at.plus({ days }).month !== at.month

test.each<[string, JsonObject, Partial<Shown>, (at: DateTime) => boolean]>([
  [
    'a rule',
    { rrule: MONTHLY },
    { words: 'Every month on the last Friday at 17:00', schedule: expect.objectContaining({ rule: MONTHLY }) as never },
    (at) => at.weekday === WEEKDAYS.friday && isLastOfMonth(at, { days: 7 }) && at.hour === 17,
  ],
  [
    'every other Tuesday at 18:00',
    { repeat: 'every other Tuesday at 18:00' },
    { words: 'Every other Tuesday at 18:00' },
    (at) => at.weekday === WEEKDAYS.tuesday && at.hour === 18,
  ],
  [
    '每月最后一个工作日下午5点',
    { repeat: '每月最后一个工作日下午5点' },
    { words: 'Every month on the last working day at 17:00' },
    (at) => at.weekday <= 5 && isLastOfMonth(at, { days: at.weekday === WEEKDAYS.friday ? 3 : 1 }) && at.hour === 17,
  ],
])('%s is kept as a rule, shown with its words, and Temporal holds its very dates', async (_name, when, said, fits) => {
  const id = await add(when)
  const { recurrence, timezone } = await stored(id)
  expect(recurrence).toMatchObject({ kind: 'rrule', timezone: 'America/New_York' })
  const view = await shown(id)
  expect(view).toMatchObject({ ...said, ends_at: null, max_runs: null })
  expect(view.schedule).toEqual({ ...recurrence, timezone })

  const { info } = await scheduled(id)
  const announced = isos(info.nextActionTimes)
  expect(announced.slice(0, 5)).toEqual(view.next_runs)
  const now = new Date(Date.parse(announced[0]!) - 1_000)
  const aYearOn = new Date(now.getTime() + 390 * DAY)
  const ours = isos(nextRuns(recurrence, now, 40).map(({ at }) => at)).filter((at) => new Date(at) <= aYearOn)
  expect(ours.length).toBeGreaterThanOrEqual(12)
  expect(await matchingTimes(world.temporal, automationScheduleId(id), now, aYearOn)).toEqual(ours)
  expect(ours.filter((at) => !fits(DateTime.fromISO(at, { zone: timezone })))).toEqual([])
})

test('every other Tuesday leaves one out between two, through both changes of the clocks', async () => {
  const id = await add({ repeat: 'every other Tuesday at 18:00' })
  await scheduled(id)
  const now = new Date()
  const told = await matchingTimes(world.temporal, automationScheduleId(id), now, new Date(now.getTime() + 390 * DAY))
  const days = told.map((at) => DateTime.fromISO(at, { zone: 'America/New_York' }))
  expect(new Set(days.map(({ offset }) => offset))).toEqual(new Set([-240, -300]))
  expect(new Set(days.slice(1).map((at, index) => at.diff(days[index]!, 'days').days))).toEqual(new Set([14]))
})

test.each<[string, JsonObject, { ends_at: string | null; max_runs: number | null }]>([
  ['UNTIL', { rrule: `${MONTHLY};UNTIL=20900331T120000Z` }, { ends_at: '2090-03-31T12:00:00.000Z', max_runs: null }],
  ['COUNT', { rrule: `RRULE:${MONTHLY};COUNT=6` }, { ends_at: null, max_runs: 6 }],
  [
    'until a day, which is included',
    { repeat: 'every other Friday at 5pm until 31 January 2090' },
    { ends_at: '2090-02-01T04:59:59.999Z', max_runs: null },
  ],
  ['共10次', { repeat: '隔天早上9点,共10次' }, { ends_at: null, max_runs: 10 }],
  [
    'the earlier of two ends',
    { rrule: `${MONTHLY};UNTIL=20900331T120000Z`, ends_at: '2080-01-31T12:00:00Z' },
    { ends_at: '2080-01-31T12:00:00.000Z', max_runs: null },
  ],
  [
    'the end in the text, when it is the earlier',
    { rrule: `${MONTHLY};UNTIL=20800131T120000Z`, ends_at: '2090-03-31T12:00:00Z' },
    { ends_at: '2080-01-31T12:00:00.000Z', max_runs: null },
  ],
  ['the lesser of two counts', { repeat: '隔天早上9点,共10次', max_runs: 3 }, { ends_at: null, max_runs: 3 }],
])('%s ends a rule', async (_name, when, end) => {
  const id = await add(when)
  expect(await shown(id)).toMatchObject(end)
  const { endsAt, maxRuns, recurrence } = await stored(id)
  expect({ ends_at: endsAt?.toISOString() ?? null, max_runs: maxRuns }).toEqual(end)
  expect(JSON.stringify(recurrence)).not.toMatch(/UNTIL|COUNT/)
})

test('the run at the very end still comes, here and in Temporal, and none after it', async () => {
  const last = DateTime.utc().startOf('day').plus({ days: 7, hours: 9 })
  const start = last.minus({ days: 6 }).toFormat("yyyyMMdd'T'HHmmss'Z'")
  const until = last.toFormat("yyyyMMdd'T'HHmmss'Z'")
  const id = await add({ rrule: `DTSTART:${start}\nRRULE:FREQ=DAILY;INTERVAL=2;UNTIL=${until}` })
  const { next_runs: runs } = await shown(id)
  expect(runs).toEqual([6, 4, 2, 0].map((days) => last.minus({ days }).toISO()))
  expect(isos((await scheduled(id)).info.nextActionTimes)).toEqual(runs)
})

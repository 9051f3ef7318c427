import { createAutomationSchedules } from '../../src/automations'
import { automationScheduleId } from '../../src/automations/contract'
import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { matchingTimes } from '../support/matching-times'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

const DAY = 86_400_000
const FIRST = Date.parse('2026-01-01T09:00:00Z')
/** Every third day from then on: what cron cannot say. */
const EVERY_THIRD_DAY = 'DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY;INTERVAL=3'

let world: World
let session: Session
beforeAll(async () => {
  world = await buildWorld(() => says('the oven is off'))
}, 120_000)
afterAll(() => world.close())
beforeEach(async () => {
  session = await world.product.session()
})
afterEach(() => jest.useRealTimers())

const sql = (text: string, values: unknown[]) => world.product.parts.database.pool.query(text, values)
const reconcile = () => world.product.parts.reconcile()

/** Temporal has been told of it, and nothing more is to be told. */
async function add(): Promise<string> {
  const id = await world.add(session, { rrule: EVERY_THIRD_DAY })
  await eventually(async () => {
    const { rows } = await sql(
      `SELECT 1 FROM automations WHERE id = $1 AND synced_version = version
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE ref_id = $1::text)`,
      [id],
    )
    return rows.length === 1
  })
  return id
}

/** Temporal knows what it would have been told some days ago, and the row says when that was. */
async function wasTold(id: string, { datesOf, rowOf }: { datesOf: number; rowOf: number }): Promise<void> {
  const { scheduler, stores, config } = world.product.parts
  await createAutomationSchedules({
    schedules: scheduler.schedules,
    automations: stores.automations,
    clock: { now: async () => new Date((await stores.clock.now()).getTime() - datesOf * DAY) },
    taskQueue: config.temporal.taskQueue,
  }).sync(id)
  await sql(`UPDATE automations SET synced_at = now() - make_interval(days => $2) WHERE id = $1`, [id, rowOf])
}

/** How many days ahead Temporal knows its dates. */
async function daysAhead(id: string): Promise<number> {
  const now = Date.now()
  const told = await matchingTimes(world.temporal, automationScheduleId(id), new Date(now), new Date(now + 800 * DAY))
  return (Date.parse(told.at(-1) ?? new Date(now).toISOString()) - now) / DAY
}

test('the dates of a rule are told again before those that Temporal has run out, and not at every pass', async () => {
  const id = await add()
  expect(await daysAhead(id)).toBeGreaterThan(396)
  await wasTold(id, { datesOf: 390, rowOf: 4 })
  await reconcile()
  expect(await daysAhead(id)).toBeLessThan(12)
  await wasTold(id, { datesOf: 390, rowOf: 6 })
  await reconcile()
  expect(await daysAhead(id)).toBeGreaterThan(396)
  const { rows } = await sql(`SELECT synced_at > now() - interval '1 hour' AS fresh FROM automations WHERE id = $1`, [
    id,
  ])
  expect(rows).toEqual([{ fresh: true }])
})

test('what is paused gets its dates too, and stays paused', async () => {
  const id = await add()
  await world.product.parts.automations.setEnabled(id, false)
  await reconcile()
  await wasTold(id, { datesOf: 390, rowOf: 6 })
  await reconcile()
  expect(await daysAhead(id)).toBeGreaterThan(396)
  expect(await world.product.parts.scheduler.schedules.look(automationScheduleId(id))).toBe('paused')
})

test("how far ahead is counted by PostgreSQL's clock, whatever the clock of the process says", async () => {
  const id = await add()
  await wasTold(id, { datesOf: 390, rowOf: 6 })
  const doNotFake = ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'performance', 'hrtime'] as const
  jest.useFakeTimers({ now: Date.now() - 200 * DAY, doNotFake: [...doNotFake] })
  await reconcile()
  jest.useRealTimers()
  expect(await daysAhead(id)).toBeGreaterThan(396)
})

test('slots of a rule that nobody ran are recorded on its very dates, and told once', async () => {
  const id = await add()
  await sql(
    `UPDATE automations SET created_at = created_at - interval '31 days', accounted_until = now() - interval '30 days',
       next_run_at = now() - interval '28 days' WHERE id = $1`,
    [id],
  )
  const accounted = async () => {
    const { rows } = await sql('SELECT accounted_until AS at FROM automations WHERE id = $1', [id])
    return (rows[0] as { at: Date }).at.getTime()
  }
  const from = await accounted()
  await reconcile()
  const to = await accounted()
  await reconcile()

  const dates = Array.from({ length: 20_000 }, (_, index) => FIRST + index * 3 * DAY)
  const missed = dates.filter((at) => at > from && at <= to).map((at) => new Date(at).toISOString())
  expect(missed.length).toBeGreaterThanOrEqual(9)
  const runs = await world.runs(id)
  expect(runs.map(({ scheduledAt }) => scheduledAt.toISOString()).toSorted()).toEqual(missed)
  expect(runs.map(({ state, error }) => [state, error])).toEqual(missed.map(() => ['missed', 'not_started']))
  const notes = (await world.history(session.sessionKey)).filter(
    ({ metadata }) => metadata['automation_note'] === 'missed',
  )
  expect(notes.map(({ content }) => content)).toEqual([
    expect.stringContaining(`The automation "oven" missed ${missed.length} runs between`),
  ])
  const { rows } = await sql('SELECT next_run_at AS at FROM automations WHERE id = $1', [id])
  expect((rows[0] as { at: Date }).at.getTime()).toBe(dates.find((at) => at > Date.now()))
})

import { Client, Connection } from '@temporalio/client'
import type { Recurrence } from '../../../src/time/recurrence/contract'
import { nextRuns, toScheduleSpec } from '../../../src/time/recurrence'
import { matchingTimes } from '../../support/matching-times'
import { takeNamespace, temporalAddress } from '../../support/services'

const DAY = 86_400_000

/** Zones whose clocks change by an hour east and west of Greenwich, by half an hour, at midnight, and never; with the days. */
const CHANGES = Object.entries({
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'Europe/London': ['2026-03-29', '2026-10-25'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'America/Santiago': ['2026-04-05', '2026-09-06'],
  'Asia/Shanghai': ['2026-03-08', '2028-02-28'],
})
const EXPRESSIONS = [
  ['30 2 * * *'],
  ['30 1 * * *'],
  ['30 0 * * *'],
  ['15 2 * * *'],
  ['0 0 * * *'],
  ['0 * * * *'],
  ['*/20 1-2 * * *'],
  ['45 1,2,3 * * *'],
  ['0 9 * * 1-5'],
  ['0 9 * * 6,0'],
  ['0 9 * * 0'],
  ['0 9 * * 6'],
  ['30 23 * * 6'],
  ['5 4 29 2 *'],
  ['0 9 1 * *', '0 9 * * 1'],
  ['0 8 * * *', '30 20 * * *'],
  ['0 12 31 * *'],
  ['10-50/20 0-4/2 * */2 *'],
  ['0 14 8-14 * 2'],
  ['0 9 1-7 * 0'],
]

let connection: Connection
let client: Client
const namespace = takeNamespace()

beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress() })
  client = new Client({ connection, namespace })
})
afterAll(async () => {
  await connection.close()
})

let schedules = 0
async function createSchedule(recurrence: Recurrence, phaseFrom: Date): Promise<string> {
  const scheduleId = `recurrence-${(schedules += 1)}`
  const spec = toScheduleSpec(recurrence, phaseFrom, phaseFrom)
  await client.schedule.create({
    scheduleId,
    spec:
      'cronExpressions' in spec
        ? spec
        : { intervals: [{ every: spec.intervalSeconds * 1000, offset: spec.offsetSeconds * 1000 }] },
    action: { type: 'startWorkflow', workflowType: 'nothing', taskQueue: 'nobody' },
    state: { paused: true },
  })
  return scheduleId
}

function ourTimes(recurrence: Recurrence, from: Date, to: Date, phaseFrom: Date = from): string[] {
  const times: string[] = []
  let last = from
  for (;;) {
    const [run] = nextRuns(recurrence, last, 1, phaseFrom)
    if (!run || run.at > to) return times
    times.push(run.at.toISOString())
    last = run.at
  }
}

describe('next runs', () => {
  it.each(CHANGES)('are those of Temporal around clock changes in %s', async (timezone, moments) => {
    const compare = async (expressions: string[]): Promise<void> => {
      const recurrence: Recurrence = { kind: 'cron', expressions, timezone }
      const scheduleId = await createSchedule(recurrence, new Date())
      for (const moment of moments) {
        const from = new Date(Date.parse(moment) - 2 * DAY)
        const to = new Date(Date.parse(moment) + 7 * DAY)
        const label = `${expressions.join(' + ')} ${timezone} ${moment}`
        expect([label, ...ourTimes(recurrence, from, to)]).toEqual([
          label,
          ...(await matchingTimes(client, scheduleId, from, to)),
        ])
      }
    }
    await Promise.all(EXPRESSIONS.map(compare))
  })

  it('of an interval are counted from its creation, as Temporal does', async () => {
    const created = new Date('2026-11-17T09:17:23.400Z')
    for (const seconds of [60, 5400, 3 * 86_400]) {
      const recurrence: Recurrence = { kind: 'every', seconds }
      const to = new Date(created.getTime() + 20 * seconds * 1000)
      const theirs = await matchingTimes(client, await createSchedule(recurrence, created), created, to)
      expect(theirs).toHaveLength(20)
      expect(ourTimes(recurrence, created, to, created)).toEqual(theirs)
    }
  })

  it.each(CHANGES)('of a rule are the dates that Temporal was told, in %s', async (timezone, moments) => {
    for (const moment of moments) {
      const from = new Date(Date.parse(moment) - 2 * DAY)
      const to = new Date(Date.parse(moment) + 7 * DAY)
      for (const rule of ['FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=30', 'FREQ=HOURLY;INTERVAL=5;BYMINUTE=15,45']) {
        const recurrence: Recurrence = { kind: 'rrule', rule, start: '2026-03-01T00:00', timezone }
        const theirs = await matchingTimes(client, await createSchedule(recurrence, from), from, to)
        expect([rule, moment, ...ourTimes(recurrence, from, to)]).toEqual([rule, moment, ...theirs])
      }
    }
  })

  it('of a moment is that moment, once', async () => {
    const at = '2027-03-01T01:02:03.000Z'
    const recurrence: Recurrence = { kind: 'at', at, timezone: 'Asia/Shanghai' }
    const scheduleId = await createSchedule(recurrence, new Date())
    expect(await matchingTimes(client, scheduleId, new Date('2026-11-17'), new Date('2030-01-01'))).toEqual([at])
  })

  it('are the ones that the Schedule itself announces', async () => {
    const recurrence: Recurrence = { kind: 'cron', expressions: ['30 9 * * 1-5'], timezone: 'Asia/Shanghai' }
    const scheduleId = await createSchedule(recurrence, new Date())
    const { info } = await client.schedule.getHandle(scheduleId).describe()
    const announced = info.nextActionTimes.slice(0, 5)
    expect(announced).toHaveLength(5)
    const before = new Date((announced[0]?.getTime() ?? 0) - 1000)
    expect(nextRuns(recurrence, before, 5).map(({ at }) => at)).toEqual(announced)
  })
})

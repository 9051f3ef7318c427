import { IANAZone } from 'luxon'
import { materialise } from '../../../src/time/recurrence/rule/materialise'
import type { RuleRecurrence } from '../../../src/time/recurrence/rule/next-rule-runs'
import { nextRuns } from '../../../src/time/recurrence'

const DAY = 86_400_000
const NOW = new Date('2026-11-18T10:00:00Z')
const of = (rule: string, timezone = 'UTC'): RuleRecurrence => ({
  ...{ kind: 'rrule', rule, timezone },
  start: '2026-11-18T10:00',
})

/** How many times a zone is asked for its offset, which is what the runs of a busy day cost. */
function offsetsAsked(work: () => unknown): number {
  const asked = jest.spyOn(IANAZone.prototype, 'offset')
  work()
  const count = asked.mock.calls.length
  asked.mockRestore()
  return count
}

test('the next runs of a rule of every minute cost no walk through the whole day', () => {
  const often = of('FREQ=MINUTELY;BYDAY=MO', 'America/New_York')
  expect(offsetsAsked(() => nextRuns(often, NOW, 5))).toBeLessThan(3_000)
})

test.each([
  'FREQ=MINUTELY;INTERVAL=61;BYDAY=MO,TU,WE,TH,FR,SA,SU',
  'FREQ=MINUTELY;INTERVAL=7;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=MINUTELY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
])('%s is told in few enough expressions, and for twelve days at least', (rule) => {
  const told = materialise(of(rule), NOW)
  expect(told.length).toBeLessThanOrEqual(1_024)
  const days = told.flatMap((expression) => {
    const [, , , dates = '', month, , year] = expression.split(' ')
    return dates.split(',').map((date) => Date.UTC(Number(year), Number(month) - 1, Number(date)))
  })
  expect(Math.max(...days) - NOW.getTime()).toBeGreaterThan(12 * DAY)
})

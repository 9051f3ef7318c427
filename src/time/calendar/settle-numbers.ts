import type { Clock, Draft } from '../draft'
import { hasDate } from '../draft'
import { durationOf, UNITS } from '../duration'

/** Gives a bare number the only meaning its neighbours leave; undefined when they leave none or two. */
export function settleNumbers(draft: Draft): Draft | undefined {
  const settled = draft.hourMark === undefined ? draft : settleHourMark(draft, draft.hourMark)
  if (!settled || settled.bare === undefined) return settled
  return settleBare(settled, settled.bare, settled.bareDigits ?? '')
}

function settleHourMark({ hourMark: _hourMark, ...draft }: Draft, hour: number): Draft | undefined {
  if (draft.clock || draft.shift) return undefined
  if (hasDate(draft) || draft.zone || draft.period)
    return { ...draft, clock: { hour, minute: 0, second: 0, exact: true } }
  const couldBeClock = hour > 12 && hour < 24
  return couldBeClock ? undefined : { ...draft, shift: durationOf(hour, UNITS.hour), shiftFrom: 'now' }
}

function settleBare(
  { bare: _bare, bareDigits: _digits, ...draft }: Draft,
  value: number,
  digits: string,
): Draft | undefined {
  const namesDay = draft.day !== undefined || draft.holiday !== undefined || draft.nth !== undefined
  if (namesDay && draft.year === undefined && digits.length === 4 && value >= 1900) return { ...draft, year: value }
  if (draft.weekday !== undefined && draft.day === undefined && digits.length < 3) {
    return value > 12 && value <= 31 ? { ...draft, day: value } : undefined
  }
  if (draft.clock || draft.shift) return undefined
  if (!draft.period && draft.dayOffset === undefined) return undefined
  return { ...draft, clock: clockOf(value, digits) }
}

function clockOf(value: number, digits: string): Clock {
  if (digits.length === 3 || digits.length === 4) {
    return { hour: Number(digits.slice(0, -2)), minute: Number(digits.slice(-2)), second: 0 }
  }
  return { hour: value, minute: 0, second: 0, ...(value > 12 ? { exact: true } : {}) }
}

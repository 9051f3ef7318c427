import type { TimeSegment } from '../../../contracts/task'
import type { SystemFacts } from '../conversation'
import { ENGLISH_DAY } from '../reminders/english-time'
import { readDate } from './chinese-when'
import { afterStart, toClock } from './clock'
import type { Taken, When } from './when'

const CLOCK = '([0-9]{1,2})(?::([0-9]{2}))?\\s*(am|pm|a\\.m\\.|p\\.m\\.)?'
const RANGE = new RegExp(`\\b(?:from\\s+)?${CLOCK}\\s*(?:to|-|–|until|till)\\s*${CLOCK}(?![0-9:])`, 'i')
const SINGLE =
  /\b(?:at\s+)([0-9]{1,2})(?::([0-9]{2}))?\s*(am|pm|a\.m\.|p\.m\.)?|\b([0-9]{1,2})(?::([0-9]{2}))?\s*(am|pm)\b/i
const DAY = new RegExp(`(?:\\b(?:on|for|by)\\s+)?${ENGLISH_DAY}`, 'i')
const SEGMENTS: [RegExp, TimeSegment][] = [
  [/\b(?:all day|the whole day)\b/i, 'all_day'],
  [/\b(?:in the |this )?morning\b/i, 'morning'],
  [/\b(?:in the |this )?afternoon\b/i, 'afternoon'],
  [/\b(?:in the |this )?(?:evening|night)\b|\btonight\b/i, 'evening'],
]

export function takeEnglishWhen(text: string, facts: SystemFacts): Taken {
  const when: When = {}
  let rest = text
  const day = DAY.exec(rest)
  if (day) {
    when.dueDate = readDate(day[0].replace(/^(?:on|for|by)\s+/i, ''), facts)
    rest = rest.replace(day[0], /tonight/i.test(day[0]) ? ' tonight ' : ' ')
  }
  const range = RANGE.exec(rest)
  const single = range ? null : SINGLE.exec(rest)
  if (range) Object.assign(when, readRange(range))
  else if (single) when.startTime = clockOf(single[1] ?? single[4], single[2] ?? single[5], single[3] ?? single[6])
  const clock = range ?? single
  if (clock) return { when, rest: rest.replace(clock[0], ' ').replace(/\btonight\b/i, ' ') }
  const segment = SEGMENTS.map(([words, name]) => ({ found: words.exec(rest), name })).find(({ found }) => found)
  if (!segment?.found) return { when, rest }
  return { when: { ...when, timeSegment: segment.name }, rest: rest.replace(segment.found[0], ' ') }
}

function readRange([, hour, minutes, half, endHour, endMinutes, endHalf]: RegExpExecArray): When {
  // "4-5pm" says the half of the day once, for both.
  const startTime = clockOf(hour, minutes, half ?? (Number(hour) < Number(endHour) ? endHalf : undefined))
  if (endHalf !== undefined) return { startTime, endTime: clockOf(endHour, endMinutes, endHalf) }
  return { startTime, endTime: afterStart(startTime, Number(endHour), Number(endMinutes ?? 0)) }
}

function clockOf(hour = '0', minutes = '0', half?: string): string {
  const isAfternoon = half === undefined ? undefined : /^p/i.test(half)
  const noon = isAfternoon === false && Number(hour) === 12 ? 0 : Number(hour)
  return toClock(noon, Number(minutes), isAfternoon === undefined ? undefined : isAfternoon ? 'pm' : 'am')
}

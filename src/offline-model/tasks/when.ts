import { DateTime } from 'luxon'
import type { JsonObject } from '../../contracts/words'
import type { TimeSegment } from '../../tasks/contract'
import { readDay } from '../../time'
import type { Conversation, SystemFacts } from '../conversation'
import { toNumber, toPlainChinese } from '../words/chinese-text'
import { CHINESE_DAY } from '../words/chinese-time'
import { ENGLISH_DAY } from '../words/english-time'

/** What a sentence says about when, as the tools take it. Half a range has a start alone. */
export interface When {
  dueDate?: string
  startTime?: string
  endTime?: string
  timeSegment?: TimeSegment
}

/** A sentence with its times taken out. */
export interface Taken {
  when: When
  rest: string
}

export const hasTime = ({ when }: Taken): boolean => Object.keys(when).length > 0

/** Takes what a sentence says about when out of it. */
export function takeWhen(text: string, { language, facts }: Pick<Conversation, 'language' | 'facts'>): Taken {
  return language === 'zh' ? takeChineseWhen(text, facts) : takeEnglishWhen(text, facts)
}

/** Later words about the same thing stand over earlier ones; a new mode ends the old one. */
export function mergeWhen(first: When, next: When): When {
  const saysMode = next.startTime !== undefined || next.timeSegment !== undefined
  const { dueDate } = first
  return { ...(saysMode ? (dueDate === undefined ? {} : { dueDate }) : first), ...next }
}

export const toArguments = (when: When): JsonObject => ({ ...when })

/** HH:mm of an hour that was said with a part of the day, or without; small hours alone are in the afternoon. */
function toClock(hour: number, minute: number, part: 'am' | 'pm' | 'night' | undefined): string {
  const said = part ?? (hour >= 1 && hour <= 6 ? 'pm' : 'am')
  const isLate = said === 'night' && hour === 12
  const full = isLate ? 24 : said !== 'am' && hour < 12 ? hour + 12 : hour
  return `${String(full).padStart(2, '0')}:${String(isLate ? 0 : minute).padStart(2, '0')}`
}

/** "下午4点到5点": the second hour lies after the first, in its half of the day if that can be. */
export function afterStart(start: string, hour: number, minute: number): string {
  const early = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  if (hour > 12 || early > start) return early
  return toClock(hour, minute, 'pm')
}

const CHINESE_PART =
  '凌晨|清晨|清早|早晨|早上|上午|中午|下午|午后|傍晚|晚上|晚间|夜里|今晚|明晚|今早|明早|[早晚](?=[0-9一二两三四五六七八九十])'
const CHINESE_NUMBER = '[0-9]{1,2}|[一二两三四五六七八九十]{1,3}'
const CHINESE_HOUR = `(${CHINESE_PART})?\\s*(?:(${CHINESE_NUMBER})[点时](?:钟|整|(半)|(一刻|三刻)|(${CHINESE_NUMBER})分?(?!钟|个))?|([0-9]{1,2})[:：]([0-9]{2}))`
const CHINESE_RANGE = new RegExp(`${CHINESE_HOUR}\\s*(?:到|至|~|～|-|—|–)\\s*${CHINESE_HOUR}`)
const CHINESE_SINGLE = new RegExp(CHINESE_HOUR)
const CHINESE_DATE = new RegExp(CHINESE_DAY)
const CHINESE_SEGMENTS: [RegExp, TimeSegment][] = [
  [/一?整天|全天/, 'all_day'],
  [/凌晨|清晨|清早|早晨|早上|上午|[今明]早/, 'morning'],
  [/中午|下午|午后/, 'afternoon'],
  [/傍晚|晚上|晚间|夜里|[今明]晚/, 'evening'],
]

/** Takes day, clock or part of the day out of a Chinese sentence. */
function takeChineseWhen(text: string, facts: SystemFacts): Taken {
  const plain = toPlainChinese(text)
  const range = CHINESE_RANGE.exec(plain)
  const single = range ? null : CHINESE_SINGLE.exec(plain)
  const clock = range ?? single
  // Only gaps are left where something was taken, so that places stay places.
  let rest = clock ? blank(plain, clock.index, clock[0].length) : plain
  const when: When = clock ? readClocks(clock, range !== null) : {}
  const day = CHINESE_DATE.exec(clock ? keepDay(plain, clock) : plain)
  if (day) {
    when.dueDate = readDate(day[0], facts)
    rest = blank(rest, day.index, day[0].length)
  }
  if (!clock) {
    const segment = CHINESE_SEGMENTS.map(([words, name]) => ({ found: words.exec(plain), name })).find(
      ({ found }) => found,
    )
    if (segment?.found) {
      when.timeSegment = segment.name
      rest = blank(rest, segment.found.index, segment.found[0].length)
    }
  }
  return { when, rest: original(text, rest) }
}

/** "明晚8点" names its day inside the clock. */
function keepDay(plain: string, clock: RegExpExecArray): string {
  const inside = /^[今明][早晚]/.test(clock[0]) ? 2 : 0
  return blank(plain, clock.index + inside, clock[0].length - inside)
}

function readClocks(found: RegExpExecArray, isRange: boolean): When {
  const start = readClock(found, 1)
  const startTime = toClock(start.hour, start.minute, start.part)
  if (!isRange) return { startTime }
  const end = readClock(found, 8)
  const endTime = end.part ? toClock(end.hour, end.minute, end.part) : afterStart(startTime, end.hour, end.minute)
  return { startTime, endTime }
}

/** Seven groups a clock: part, hour, half, quarter, minutes, and hour and minutes of a digital one. */
function readClock(found: RegExpExecArray, at: number) {
  const [part, hour, half, quarter, minutes, digitalHour, digitalMinutes] = found.slice(at, at + 7)
  const minute = half ? 30 : quarter ? (quarter === '一刻' ? 15 : 45) : minutes ? toNumber(minutes) : 0
  const half24 = part === undefined && digitalHour !== undefined ? ('am' as const) : halfOf(part)
  return { hour: toNumber(hour ?? digitalHour ?? '0'), minute: Number(digitalMinutes ?? minute), part: half24 }
}

function halfOf(part: string | undefined): 'am' | 'pm' | 'night' | undefined {
  if (part === undefined) return undefined
  if (/晚|夜/.test(part)) return 'night'
  return /中午|下午|午后|傍晚/.test(part) ? 'pm' : 'am'
}

/** The clock is the one in the prompt; without it the words go to the tool as they are. */
function readDate(words: string, { now, timezone }: SystemFacts): string {
  if (now === undefined || timezone === undefined) return words
  const instant = DateTime.fromFormat(now, 'yyyy-MM-dd HH:mm', { zone: timezone })
  return (instant.isValid ? readDay(words, instant.toJSDate(), timezone) : undefined) ?? words
}

const GAP = '\u0001'
const blank = (text: string, at: number, length: number) =>
  text.slice(0, at) + GAP.repeat(length) + text.slice(at + length)
const original = (text: string, gaps: string) =>
  [...gaps].length === [...text].length && gaps.length === text.length
    ? text.replaceAll(/[\s\S]/g, (sign, at: number) => (gaps.charAt(at) === GAP ? ' ' : sign))
    : gaps.replaceAll(GAP, ' ')

const ENGLISH_HOUR = '([0-9]{1,2})(?::([0-9]{2}))?\\s*(am|pm|a\\.m\\.|p\\.m\\.)?'
const ENGLISH_RANGE = new RegExp(
  `\\b(?:from\\s+)?${ENGLISH_HOUR}\\s*(?:to|-|–|until|till)\\s*${ENGLISH_HOUR}(?![0-9:])`,
  'i',
)
const ENGLISH_SINGLE =
  /\b(?:at\s+)([0-9]{1,2})(?::([0-9]{2}))?\s*(am|pm|a\.m\.|p\.m\.)?|\b([0-9]{1,2})(?::([0-9]{2}))?\s*(am|pm)\b/i
const ENGLISH_DATE = new RegExp(`(?:\\b(?:on|for|by)\\s+)?${ENGLISH_DAY}`, 'i')
const ENGLISH_SEGMENTS: [RegExp, TimeSegment][] = [
  [/\b(?:all day|the whole day)\b/i, 'all_day'],
  [/\b(?:in the |this )?morning\b/i, 'morning'],
  [/\b(?:in the |this )?afternoon\b/i, 'afternoon'],
  [/\b(?:in the |this )?(?:evening|night)\b|\btonight\b/i, 'evening'],
]

function takeEnglishWhen(text: string, facts: SystemFacts): Taken {
  const when: When = {}
  let rest = text
  const day = ENGLISH_DATE.exec(rest)
  if (day) {
    when.dueDate = readDate(day[0].replace(/^(?:on|for|by)\s+/i, ''), facts)
    rest = rest.replace(day[0], /tonight/i.test(day[0]) ? ' tonight ' : ' ')
  }
  const range = ENGLISH_RANGE.exec(rest)
  const single = range ? null : ENGLISH_SINGLE.exec(rest)
  if (range) Object.assign(when, readRange(range))
  else if (single) when.startTime = clockOf(single[1] ?? single[4], single[2] ?? single[5], single[3] ?? single[6])
  const clock = range ?? single
  if (clock) return { when, rest: rest.replace(clock[0], ' ').replace(/\btonight\b/i, ' ') }
  const segment = ENGLISH_SEGMENTS.map(([words, name]) => ({ found: words.exec(rest), name })).find(
    ({ found }) => found,
  )
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

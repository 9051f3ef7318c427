import { DateTime } from 'luxon'
import type { TimeSegment } from '../../../contracts/task'
import { readDay } from '../../../tasks/local-day'
import type { SystemFacts } from '../conversation'
import { CHINESE_DAY } from '../reminders/chinese-time'
import { toPlainChinese } from '../reminders/plain-chinese'
import { afterStart, toClock, toNumber } from './clock'
import type { Taken, When } from './when'

const PART =
  '凌晨|清晨|清早|早晨|早上|上午|中午|下午|午后|傍晚|晚上|晚间|夜里|今晚|明晚|今早|明早|[早晚](?=[0-9一二两三四五六七八九十])'
const NUMBER = '[0-9]{1,2}|[一二两三四五六七八九十]{1,3}'
const CLOCK = `(${PART})?\\s*(?:(${NUMBER})[点时](?:钟|整|(半)|(一刻|三刻)|(${NUMBER})分?(?!钟|个))?|([0-9]{1,2})[:：]([0-9]{2}))`
const RANGE = new RegExp(`${CLOCK}\\s*(?:到|至|~|～|-|—|–)\\s*${CLOCK}`)
const SINGLE = new RegExp(CLOCK)
const DAY = new RegExp(CHINESE_DAY)
const SEGMENTS: [RegExp, TimeSegment][] = [
  [/一?整天|全天/, 'all_day'],
  [/凌晨|清晨|清早|早晨|早上|上午|[今明]早/, 'morning'],
  [/中午|下午|午后/, 'afternoon'],
  [/傍晚|晚上|晚间|夜里|[今明]晚/, 'evening'],
]

/** Takes day, clock or part of the day out of a Chinese sentence. The seed's own examples are read here. */
export function takeChineseWhen(text: string, facts: SystemFacts): Taken {
  const plain = toPlainChinese(text)
  const range = RANGE.exec(plain)
  const single = range ? null : SINGLE.exec(plain)
  const clock = range ?? single
  // Only gaps are left where something was taken, so that places stay places.
  let rest = clock ? blank(plain, clock.index, clock[0].length) : plain
  const when: When = clock ? readClocks(clock, range !== null) : {}
  const day = DAY.exec(clock ? keepDay(plain, clock) : plain)
  if (day) {
    when.dueDate = readDate(day[0], facts)
    rest = blank(rest, day.index, day[0].length)
  }
  if (!clock) {
    const segment = SEGMENTS.map(([words, name]) => ({ found: words.exec(plain), name })).find(({ found }) => found)
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
export function readDate(words: string, { now, timezone }: SystemFacts): string {
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

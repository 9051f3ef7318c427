import { DateTime } from 'luxon'
import { isKnownZone } from '../../zones'
import type { Frequency, RepeatRule, RuleDay, Wall } from './repeat-rule'
import { FREQUENCIES } from './repeat-rule'
import { WEEKDAY_CODES } from './write-rrule'

/** What a text in the form of RFC 5545 says. */
export interface RruleText {
  rule: RepeatRule
  /** Its beginning on the wall clock of `zone`, or of the zone that is asked for. */
  start?: Wall
  zone?: string
  count?: number
  until?: { wall: Wall } | { ms: number } | { day: Wall }
}

/** The part that is wrong, or that is understood and not kept. */
export interface RruleFault {
  code: 'invalid_rrule' | 'unsupported' | 'too_often' | 'bad_timezone'
  part: string
}

/** Whether someone meant a rule, well or badly. */
export const looksLikeRrule = (text: string): boolean =>
  /^\s*(?:rrule\s*[:;]|dtstart\b|freq\s*=)|\bfreq\s*=/i.test(text)

export function readRrule(text: string): RruleText | RruleFault {
  const found: Found = { rule: {}, seen: new Set() }
  for (const line of text.normalize('NFKC').trim().toUpperCase().split(/\s+/)) {
    const fault = readLine(line, found)
    if (fault) return fault
  }
  const { rule, seen: _seen, ...rest } = found
  if (!rule.freq) return wrong('FREQ')
  const whole: RepeatRule = { interval: 1, weekStart: 1, ...rule, freq: rule.freq }
  return faultOf(whole, rest.count !== undefined && rest.until !== undefined) ?? { ...rest, rule: whole }
}

type Found = Omit<RruleText, 'rule'> & { rule: Partial<RepeatRule>; seen: Set<string> }

const wrong = (part: string): RruleFault => ({ code: 'invalid_rrule', part })
const unkept = (part: string): RruleFault => ({ code: 'unsupported', part })

function readLine(line: string, found: Found): RruleFault | undefined {
  const start = /^DTSTART(?:;TZID=([^:;]+))?(?:;VALUE=DATE(?:-TIME)?)?[:=](\S+?);?$/.exec(line)
  if (start) return readStart(start[2] ?? '', start[1], found)
  if (/^(?:EXDATE|RDATE|EXRULE)\b/.test(line)) return unkept(line.split(/[:;]/, 1)[0] ?? line)
  for (const part of line.replace(/^RRULE[:;]/, '').split(';')) {
    if (part === '') continue
    const [, name = '', value = ''] = /^([A-Z-]+)[=:](.+)$/.exec(part) ?? []
    if (name === '' || found.seen.has(name)) return wrong(part)
    found.seen.add(name)
    const fault = readPart(name, value, found)
    if (fault) return fault
  }
  return undefined
}

function readStart(value: string, zone: string | undefined, found: Found): RruleFault | undefined {
  const moment = readMoment(value)
  if (!moment || found.start !== undefined) return wrong('DTSTART')
  if (zone !== undefined) {
    const name = canonicalZone(zone)
    if (!name) return { code: 'bad_timezone', part: zone }
    found.zone = name
  }
  if (moment.isUtc) found.zone = 'UTC'
  // A day alone has no clock of its own; nine is the hour of a day without one.
  found.start = moment.isDay ? moment.wall + 9 * 3_600_000 : moment.wall
  return undefined
}

const canonicalZone = (zone: string): string | undefined =>
  isKnownZone(zone) ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : undefined

function readMoment(value: string): { wall: Wall; isUtc: boolean; isDay: boolean } | undefined {
  const shape = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})?(Z)?)?$/.exec(value)
  if (!shape) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = shape.slice(1, 7).map((each) => Number(each ?? 0))
  const at = DateTime.fromObject({ year, month, day, hour, minute, second }, { zone: 'utc' })
  if (!at.isValid) return undefined
  return { wall: at.startOf('minute').toMillis(), isUtc: shape[7] === 'Z', isDay: shape[4] === undefined }
}

function readPart(name: string, value: string, found: Found): RruleFault | undefined {
  const put = <K extends keyof RepeatRule>(key: K, read: RepeatRule[K] | undefined): RruleFault | undefined => {
    if (read === undefined) return wrong(`${name}=${value}`)
    found.rule[key] = read
    return undefined
  }
  switch (name) {
    case 'FREQ':
      if (value === 'SECONDLY') return { code: 'too_often', part: 'SECONDLY' }
      return put(
        'freq',
        FREQUENCIES.find((each): each is Frequency => each === value),
      )
    case 'INTERVAL':
      return put('interval', numbers(value, 1, 10_000)?.[0])
    case 'WKST':
      return put('weekStart', weekdayBy(value))
    case 'BYMONTH':
      return put('byMonth', numbers(value, 1, 12))
    case 'BYMONTHDAY':
      return put('byMonthDay', numbers(value, -31, 31))
    case 'BYDAY':
      return put('byDay', daysOf(value))
    case 'BYHOUR':
      return put('byHour', numbers(value, 0, 23))
    case 'BYMINUTE':
      return put('byMinute', numbers(value, 0, 59))
    case 'BYSETPOS':
      return put('bySetPos', numbers(value, -366, 366))
    case 'BYSECOND':
      return value === '0' || value === '00' ? undefined : unkept('BYSECOND')
    case 'COUNT':
    case 'UNTIL':
      return readEnd(name, value, found)
    case 'DTSTART':
      return readStart(value, undefined, found)
    case 'BYWEEKNO':
    case 'BYYEARDAY':
    case 'RSCALE':
    case 'SKIP':
      return unkept(name)
    default:
      return wrong(name)
  }
}

function readEnd(name: 'COUNT' | 'UNTIL', value: string, found: Found): RruleFault | undefined {
  if (name === 'COUNT') {
    const count = numbers(value, 1, 1_000_000)?.[0]
    if (count === undefined) return wrong('COUNT')
    found.count = count
    return undefined
  }
  const moment = readMoment(value)
  if (!moment) return wrong('UNTIL')
  found.until = moment.isDay ? { day: moment.wall } : moment.isUtc ? { ms: moment.wall } : { wall: moment.wall }
  return undefined
}

/** Zero is no number of a list that may be negative; day 0 does not exist. */
function numbers(value: string, least: number, most: number): number[] | undefined {
  const found = value.split(',').map((each) => (/^[+-]?\d{1,7}$/.test(each) ? Number(each) : Number.NaN))
  const fits = found.every((each) => each >= least && each <= most && (least >= 0 || each !== 0))
  return fits ? [...new Set(found)] : undefined
}

const weekdayBy = (code: string): number | undefined => {
  const index = WEEKDAY_CODES.findIndex((each) => each === code)
  return index < 0 ? undefined : index + 1
}

function daysOf(value: string): RuleDay[] | undefined {
  const found = value.split(',').map((each): RuleDay | undefined => {
    const [, nth, code = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(each) ?? []
    const weekday = weekdayBy(code)
    if (weekday === undefined) return undefined
    const count = Number(nth ?? 1)
    return count === 0 || Math.abs(count) > 53 ? undefined : nth === undefined ? { weekday } : { weekday, nth: count }
  })
  return found.every((each) => each !== undefined) ? found : undefined
}

/** Parts that RFC 5545 forbids beside each other. */
function faultOf(rule: RepeatRule, hasTwoEnds: boolean): RruleFault | undefined {
  const { freq, byDay, byMonthDay, bySetPos, byMonth, byHour, byMinute } = rule
  const isOrdinal = byDay?.some(({ nth }) => nth !== undefined)
  if (hasTwoEnds) return wrong('COUNT')
  if (isOrdinal && freq !== 'MONTHLY' && freq !== 'YEARLY') return wrong('BYDAY')
  if (byMonthDay && freq === 'WEEKLY') return wrong('BYMONTHDAY')
  if (bySetPos && !byDay && !byMonthDay && !byMonth && !byHour && !byMinute) return wrong('BYSETPOS')
  return undefined
}

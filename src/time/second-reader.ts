import type { ParsedComponents } from 'chrono-node'
import { strict } from 'chrono-node/en'
import { FixedOffsetZone } from 'luxon'
import type { Clock, Draft } from './draft'
import { ZONE_NAMES } from './zone-names'

/** Words that change nothing about a written date. before, after, next, ago and their like are not among them. */
const PLAIN_WORDS = new Set(
  `at on by of the t am pm a p m st nd rd th
  mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday
  first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth thirtieth twenty thirty`.split(/\s+/),
)
const MONTHS = new Set(
  `january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec`.split(/\s+/),
)
/** Zones beyond those of our grammar, each with one meaning in the world; in minutes. What chrono says must agree. */
const FURTHER_ZONES = new Map(
  Object.entries({ ACST: 570, ACDT: 630, ADT: -180, AFT: 270, BTT: 360, CAT: 120, CLST: -180, CLT: -240, COT: -300 })
    .concat(Object.entries({ EAT: 180, IDT: 180, MEZ: 60, MESZ: 120, MMT: 390, MYT: 480, NPT: 345, PET: -300 }))
    .concat(Object.entries({ PKT: 300, UYT: -180, UZT: 300, WAT: 60, WEST: 60, WIT: 540, WITA: 480 })),
)

/** In capitals, as they are written; "be" is also a verb. */
const ERAS = new Set(['AD', 'CE', 'BE'])
const LEAD = /^(?:at|on|by) /i
const SIGNS = /^[A-Za-z0-9 ,.:/()+∙!-]*$/
const YEAR_FIRST = /\b\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d)/
/** "5pm +1" is as likely a day later or one more guest. */
const SHORT_OFFSET = /(?<!(?:GMT|UTC) ?)(?:\+| [+-])\d(?!\d)/i

/** Between spaces it may as well stand for "until". */
const LONE_HYPHEN = /(?:^| )-(?: |$)/

/**
 * Reads with chrono what our grammar has no word for: other zones, eras, signs between date and clock. It must cover the
 * whole text with fields that are written there; whatever it would fill in itself is left to our calendar or refused.
 */
export function readSecond(text: string, nowMs: number): Draft | undefined {
  const written = text.normalize('NFKC').trim().replace(LEAD, '')
  const words = written.match(/[A-Za-z]+/g) ?? []
  if (!SIGNS.test(written) || SHORT_OFFSET.test(written) || LONE_HYPHEN.test(written)) return undefined
  if (!words.every(isPlain)) return undefined
  const [found, more] = strict.parse(written, { instant: new Date(nowMs), timezone: 0 })
  if (!found || more || found.end || isRelative(found.start)) return undefined
  const isWhole = found.index === 0 && /^[ .,!]*$/.test(written.slice(found.text.length))
  return isWhole ? draftOf(found.start, written, words) : undefined
}

function isPlain(word: string): boolean {
  const small = word.toLowerCase()
  return PLAIN_WORDS.has(small) || MONTHS.has(small) || ERAS.has(word) || zoneMinutes(word) !== undefined
}

/** In capitals only: "5pm eat" is no zone. */
function zoneMinutes(word: string): number | undefined {
  if (word !== word.toUpperCase()) return undefined
  const zone = ZONE_NAMES.get(word.toLowerCase())
  return zone?.startsWith('UTC') ? FixedOffsetZone.parseSpecifier(zone).offset(0) : FURTHER_ZONES.get(word)
}

const isRelative = (start: ParsedComponents): boolean =>
  [...start.tags()].some((tag) => tag.startsWith('result/relative'))

function draftOf(start: ParsedComponents, written: string, words: string[]): Draft | undefined {
  const date = dateOf(start, written, words)
  const clock = clockOf(start, written, date !== undefined && Object.keys(date).length > 0)
  const zone = zoneOf(start, words)
  if (!date || clock === 'unclear' || zone === 'unclear' || (zone && !clock)) return undefined
  return { ...date, ...(clock ? { clock } : {}), ...(zone ? { zone } : {}) }
}

/** Day and month as written, the month by name or the year first; no field at all where no date is said. */
function dateOf(start: ParsedComponents, written: string, words: string[]): Draft | undefined {
  const [year, month, day, weekday] = (['year', 'month', 'day', 'weekday'] as const).map((field) =>
    start.isCertain(field) ? (start.get(field) ?? undefined) : undefined,
  )
  if ([year, month, day, weekday].every((value) => value === undefined)) return {}
  if (month === undefined || day === undefined) return undefined
  if (!YEAR_FIRST.test(written) && !words.some((word) => MONTHS.has(word.toLowerCase()))) return undefined
  if (year !== undefined && !isWritten(year, written)) return undefined
  return {
    month,
    day,
    ...(year === undefined ? {} : { year }),
    ...(weekday === undefined ? {} : { weekday: weekday === 0 ? 7 : weekday }),
  }
}

/** With all four digits, or as a year of the Buddhist era. */
function isWritten(year: number, written: string): boolean {
  const shape = / ?BE\b/.test(written) ? `${year + 543} ?BE` : String(year)
  return year >= 1900 && new RegExp(`(?<!\\d)${shape}(?!\\d)`).test(written)
}

function clockOf(start: ParsedComponents, written: string, hasDate: boolean): Clock | 'unclear' | undefined {
  if (!start.isCertain('hour')) return undefined
  const hour = start.get('hour') ?? 0
  // 09:30 and 10:30 beside a date are the 24-hour clock; 9:30 and a clock alone could be either half.
  const isClear =
    start.isCertain('meridiem') || /(?<!\d)0\d:\d\d/.test(written) || (hasDate && /(?<!\d)1\d:\d\d/.test(written))
  if (!isClear || !start.isCertain('minute')) return 'unclear'
  return { hour, minute: start.get('minute') ?? 0, second: start.get('second') ?? 0, digital: true, exact: true }
}

function zoneOf(start: ParsedComponents, words: string[]): string | undefined {
  const names = words.filter((word) => zoneMinutes(word) !== undefined)
  if (!start.isCertain('timezoneOffset')) return names.length > 0 ? 'unclear' : undefined
  const minutes = start.get('timezoneOffset') ?? 0
  // GMT and UTC may stand before an offset; one other name may stand there, and must say the same as chrono.
  const [name, another] = names.filter((each) => !/^(?:GMT|UTC)$/.test(each))
  const agrees = name === undefined || zoneMinutes(name) === minutes
  return agrees && another === undefined ? FixedOffsetZone.instance(minutes).name : 'unclear'
}

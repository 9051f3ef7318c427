import type { Draft } from './draft'
import { either, longest, many, map, meaning, optional, sequence, token, word } from './grammar'
import type { Rule } from './grammar'
import { digitsOf } from './digital-clock'
import { CITY_ZONES, ZONE_NAMES } from './zone-names'
import { isKnownZone } from './zones'

const offsetHours: Rule<string> = map(
  sequence(word('+ -'), digitsOf(1, 2), optional(sequence(word(':'), digitsOf(2, 2)))),
  ([sign, hours, minutes]) => offsetZone(sign, hours, minutes?.[1]),
)
const offsetDigits: Rule<string> = map(sequence(word('+ -'), digitsOf(4, 4)), ([sign, digits]) =>
  offsetZone(sign, digits.slice(0, 2), digits.slice(2)),
)

function offsetZone(sign: string, hours: string, minutes = '00'): string | undefined {
  return Number(hours) <= 14 && Number(minutes) < 60 ? `UTC${sign}${Number(hours)}:${minutes}` : undefined
}

const plainWord = token(({ kind, text }) => (kind === 'word' ? text : undefined))
/** Europe/London, America/New_York: the name that the zone data has, whatever its capitals. */
const ianaName: Rule<string> = map(
  sequence(plainWord, word('/'), plainWord, optional(many(sequence(word('_'), plainWord)))),
  ([area, , place, more = []]) => canonicalName(`${area}/${[place, ...more.map(([, next]) => next)].join('_')}`),
)

function canonicalName(name: string): string | undefined {
  return isKnownZone(name) ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : undefined
}

const named: Rule<string> = longest(
  ianaName,
  map(sequence(word('utc gmt'), either(offsetDigits, offsetHours)), ([, zone]) => zone),
  meaning(ZONE_NAMES),
  map(sequence(meaning(CITY_ZONES), optional(word('standard daylight')), word('time')), ([zone]) => zone),
  map(sequence(word('new'), word('york'), word('time')), () => 'America/New_York'),
)
const bracketed: Rule<string> = map(sequence(word('('), named, word(')')), ([, zone]) => zone)

/**
 * A signed offset is a zone only straight after a clock, "09:00 +08:00" or "09:00 -0500"; with a minus and a colon it
 * would be a span, "9:00-10:00".
 */
export const clockOffset: Rule<string> = either(
  offsetDigits,
  map(sequence(word('+'), digitsOf(2, 2), word(':'), digitsOf(2, 2)), ([sign, hours, , minutes]) =>
    offsetZone(sign, hours, minutes),
  ),
)

/** "GMT+0100 (CET)", as JavaScript prints a date. */
const aside = optional(sequence(word('('), many(token(({ kind }) => (kind === 'word' ? true : undefined))), word(')')))

export const zones: Rule<Draft>[] = [
  map(sequence(either(named, bracketed), optional(word('time 时间')), aside), ([zone]) => ({ zone })),
]

import type { Recurrence, RecurrenceRefusalCode } from '../contract'
import { normalize } from '../../normalize'
import { tokenize } from '../../tokens'
import { isKnownZone } from '../../zones'
import { REPEAT_WORDS } from './chinese'
import { compileCalendar } from './compile-calendar'
import { compileInterval, compileMinutes } from './compile-interval'
import { joinPieces } from './pattern'
import { readPieces } from './read-pieces'
import { resolveBounds } from './resolve-bounds'

export type PhraseReading =
  | { ok: true; recurrence: Recurrence; endsAt?: Date; maxRuns?: number; note?: PhraseNote }
  | { ok: false; code: RecurrenceRefusalCode }

/** Something the words leave open and we decided. */
export type PhraseNote = 'quarter_begins'

const refuse = (code: RecurrenceRefusalCode): PhraseReading => ({ ok: false, code })

/** What repeats, in words. Every word must be understood, and what they say must be kept exactly, or it is refused. */
export function readPhrase(text: string, timezone: string, now: Date): PhraseReading {
  // 两周一次 is once in two weeks and no Monday, 每周三次 no Wednesday.
  const plain = normalize(text).replace(/(周|星期|礼拜)(?=[一二两三四五六]次)/g, '$1 ')
  const pieces = readPieces(tokenize(plain, REPEAT_WORDS))
  if (!pieces) return refuse(SPAN.test(plain) ? 'range' : 'not_understood')
  const pattern = joinPieces(pieces)
  if (pattern === 'contradiction') return refuse('ambiguous')
  if (typeof pattern === 'string') return refuse(pattern)
  const zone = pattern.zone === undefined ? timezone : ianaName(pattern.zone)
  if (!zone) return refuse('bad_timezone')
  const bounds = resolveBounds(pattern, zone, now)
  if (typeof bounds === 'string') return refuse(bounds)
  const { from, ...end } = bounds
  const compile = pattern.interval !== undefined ? compileInterval : pattern.minutes ? compileMinutes : compileCalendar
  const compiled = compile(pattern, { zone, from, now })
  return typeof compiled === 'string' ? refuse(compiled) : { ok: true, ...compiled, ...end }
}

const SPAN = /到|至|~|\b(?:between|from|until|during|to \d)/

const HALF_HOUR_ZONES = new Map([
  ['UTC+5:30', 'Asia/Kolkata'],
  ['UTC+5:45', 'Asia/Kathmandu'],
  ['UTC+6:30', 'Asia/Yangon'],
  ['UTC+9:30', 'Australia/Darwin'],
])

/** A fixed offset by its IANA name, whose sign is the other way round; half hours go by a zone that never changes. */
function ianaName(zone: string): string | undefined {
  const offset = /^UTC([+-])(\d+)(?::00)?$/.exec(zone)
  const name = offset ? (offset[2] === '0' ? 'UTC' : `Etc/GMT${offset[1] === '+' ? '-' : '+'}${offset[2]}`) : zone
  const found = HALF_HOUR_ZONES.get(name) ?? name
  return isKnownZone(found) ? found : undefined
}

import type { Refusal } from '../contracts/refusal'
import { DateTime, FixedOffsetZone, IANAZone } from 'luxon'
import type { Zone } from 'luxon'
import type { Resolved, Unresolved } from './calendar/resolve'
import { refuse, resolve } from './calendar/resolve'
import { readIso } from './iso'
import { normalize } from './normalize'
import { noteFor } from './notes'
import { readParts } from './read-parts'
import { explainRefusal, hintFor } from './refusals'
import { readSecond } from './second-reader'
import { tokenize } from './tokens'
import { placeInZone } from './wall-clock'
import { isWholeDay } from './draft'
import type { Draft } from './draft'
import { detectLanguage } from './zones'

export type TimeRefusalCode =
  | 'empty'
  | 'not_understood'
  | 'past'
  | 'ambiguous'
  | 'recurring'
  | 'range'
  | 'invalid_clock'
  | 'invalid_date'
  | 'too_far'
  | 'too_long'

export interface TimeReading {
  ok: true
  instant: Date
  kind: 'relative' | 'absolute'
  /** ISO with the offset, in the zone of the question. */
  local: string
  zone: string
  /** Only a day was said, or its end: the hour is ours. */
  isWholeDay: boolean
  /** What a person should know of the reading: a DST change, a guessed half of the day, an hour of ours. */
  note?: string
  /** Our grammar did not know some word of it; chrono did. */
  bySecondReader?: true
}

export interface TimeRefusal extends Refusal<TimeRefusalCode> {
  /** With `past` only: the moment that has passed, for callers to whom past means at once. */
  instant?: Date
}

export interface TimeQuestion {
  text: string
  now: Date
  zone: string
  language?: 'zh' | 'en'
}

export const LONGEST_TEXT = 200
const FARTHEST_MS = 100 * 366 * 86_400_000

/** One instant out of one text, or a refusal. The whole text must be understood; the machine's zone plays no part. */
export function parseTimeExpression(question: TimeQuestion): TimeReading | TimeRefusal {
  const { text, now } = question
  const language = question.language ?? detectLanguage(text.slice(0, LONGEST_TEXT))
  const zone = IANAZone.create(question.zone)
  const result = read(text, now.getTime(), zone, language)
  if (!result.ok) return answerRefusal(result, language)
  if (result.ms > now.getTime() + FARTHEST_MS) return answerRefusal(refuse('too_far'), language)
  const note = noteFor(result, language)
  return {
    ok: true,
    instant: new Date(result.ms),
    kind: result.kind,
    local: DateTime.fromMillis(result.ms, { zone }).toISO({ suppressMilliseconds: true }) ?? '',
    zone: question.zone,
    isWholeDay: isWholeDay(result.draft),
    ...(note ? { note } : {}),
    ...(result.bySecondReader ? { bySecondReader: true as const } : {}),
  }
}

function answerRefusal({ code, ms }: Unresolved, language: 'zh' | 'en'): TimeRefusal {
  const hint = hintFor(code, language)
  return code === 'past' && ms !== undefined && Math.abs(ms) < 8.64e15
    ? { ok: false, code, hint, instant: new Date(ms) }
    : { ok: false, code, hint }
}

function read(text: string, nowMs: number, zone: Zone, language: 'zh' | 'en'): Resolved | Unresolved {
  if (text.length > LONGEST_TEXT) return refuse('too_long')
  if (text.trim() === '') return refuse('empty')
  const plain = normalize(text)
  // One ligature can unfold into eighteen letters; no time is written with them.
  if (plain.length > 2 * LONGEST_TEXT) return refuse('too_long')
  const iso = readIso(plain)
  if (typeof iso === 'string') return refuse(iso)
  if (iso) return resolveIso(iso, nowMs, zone)
  // Whoever asks, a text with Chinese in it is read by the grammar that knows both languages.
  const parts = readParts(tokenize(plain), detectLanguage(plain) === 'zh' ? 'zh' : language)
  if (parts.ok) return place(parts.draft, nowMs, zone)
  const code = parts.reason === 'contradiction' ? explainContradiction(plain) : explainRefusal(plain)
  // A text that we refuse for what it says is never asked about again, only one with a word that we do not know.
  const second = code === 'not_understood' ? readSecond(text, nowMs) : undefined
  if (!second) return refuse(code)
  const placed = place(second, nowMs, zone)
  return placed.ok ? { ...placed, bySecondReader: true } : placed
}

function place(draft: Draft, nowMs: number, zone: Zone): Resolved | Unresolved {
  return resolve(draft, nowMs, draft.zone ? namedZone(draft.zone) : zone)
}

/** Two clocks or two days are a span if the text says so, and otherwise leave a choice. */
function explainContradiction(plain: string): Unresolved['code'] {
  const code = explainRefusal(plain)
  if (code === 'not_understood' && /[-~]/.test(plain)) return 'range'
  return code === 'not_understood' ? 'ambiguous' : code
}

function namedZone(name: string): Zone {
  return name.startsWith('UTC') ? FixedOffsetZone.parseSpecifier(name) : IANAZone.create(name)
}

function resolveIso(iso: { ms: number } | { wall: DateTime }, nowMs: number, zone: Zone): Resolved | Unresolved {
  const wall = 'wall' in iso ? iso.wall : DateTime.fromMillis(iso.ms, { zone: 'utc' })
  const placed = 'ms' in iso ? { ms: iso.ms, dst: 'none' as const } : placeInZone(wall, zone)
  if (placed.ms <= nowMs) return refuse('past', placed.ms)
  return { ok: true, ...placed, kind: 'absolute', wall, draft: {} }
}

import type {
  Recurrence,
  RecurrenceReading,
  RecurrenceRefusal,
  RecurrenceRequest,
  RecurrenceRefusalCode,
} from './contract'
import { LONGEST_TEXT, parseTimeExpression } from '../parse-time-expression'
import { isKnownZone } from '../zones'
import { looksLikeCron } from './cron/looks-like-cron'
import { readCron } from './cron/read-cron'
import { describeRecurrence } from './describe-recurrence'
import { nextRuns } from './next-runs'
import { notesFor } from './notes'
import { readPhrase } from './phrase/read-phrase'
import type { PhraseNote } from './phrase/read-phrase'
import { refusal, refuseRule } from './refusals'
import { looksLikeRrule } from './rule/read-rrule'
import { recurrenceOfRrule } from './rule/recurrence-of-rrule'

export const SHORTEST_SECONDS = 60
export const LONGEST_SECONDS = 366 * 86_400
const SHOWN_RUNS = 5

type Found = { ok: true; recurrence: Recurrence; note?: string; endsAt?: Date; maxRuns?: number } | RecurrenceRefusal

/** One recurrence out of what the model or a person gave, or a refusal with a hint. */
export function readRecurrence(request: RecurrenceRequest): RecurrenceReading {
  const { timezone, language, now } = request
  if (!isKnownZone(timezone)) return refusal('bad_timezone', language)
  const found = readGiven(request)
  if (!found.ok) return found
  const { recurrence, note, endsAt, maxRuns } = found
  if (recurrence.kind === 'every') {
    const code = faultOfInterval(recurrence.seconds)
    if (code) return refusal(code, language)
  }
  const count = Math.min(SHOWN_RUNS, maxRuns ?? SHOWN_RUNS)
  const runs = nextRuns(recurrence, now, count).filter(({ at }) => !endsAt || at <= endsAt)
  if (runs.length === 0) return refusal(recurrence.kind === 'at' ? 'past' : 'never', language)
  const notes = [...(note ? [note] : []), ...notesFor(recurrence, now, language)]
  const words = describeRecurrence(recurrence, language)
  const end = { ...(endsAt ? { endsAt } : {}), ...(maxRuns === undefined ? {} : { maxRuns }) }
  return { ok: true, recurrence, words, nextRuns: runs, notes, ...end }
}

function readGiven(request: RecurrenceRequest): Found {
  const { language } = request
  const texts = (['cronExpr', 'rrule', 'at', 'repeat'] as const).filter((key) => (request[key] ?? '').trim() !== '')
  // Models fill in a zero for what they leave out.
  const seconds = request.everySeconds === 0 && texts.length > 0 ? undefined : request.everySeconds
  if (texts.length + (seconds === undefined ? 0 : 1) > 1) return refusal('several_given', language)
  if (seconds !== undefined) return { ok: true, recurrence: { kind: 'every', seconds } }
  const [key] = texts
  return key ? readText((request[key] ?? '').trim(), key, request) : refusal('none_given', language)
}

function faultOfInterval(seconds: number): RecurrenceRefusalCode | undefined {
  if (!Number.isSafeInteger(seconds)) return 'invalid_interval'
  if (seconds < SHORTEST_SECONDS) return 'too_often'
  return seconds > LONGEST_SECONDS ? 'invalid_interval' : undefined
}

/** Whatever the field is called, cron, a phrase and a time are told apart by their own shape. */
function readText(text: string, key: 'cronExpr' | 'rrule' | 'at' | 'repeat', request: RecurrenceRequest): Found {
  const { timezone, language, now } = request
  if (text.length > (looksLikeRrule(text) ? LONGEST_RULE : LONGEST_TEXT)) return refusal('too_long', language)
  if (looksLikeRrule(text)) return readRule(text, request)
  if (looksLikeCron(text)) {
    const cron = readCron(text)
    if (!cron.ok) return refusal('invalid_cron', language, cron.fault)
    return { ok: true, recurrence: { kind: 'cron', expressions: cron.expressions, timezone } }
  }
  // Only `at` asks for one moment first: 周一9点 there is the coming Monday, in `repeat` it is every Monday.
  const once = readOnce(text, request)
  if (key === 'at' && once.ok) return once
  const phrase = readPhrase(text, timezone, now)
  if (phrase.ok) {
    const { note, ...read } = phrase
    return { ...read, ...(note ? { note: PHRASE_NOTES[note][language] } : {}) }
  }
  if (key === 'at' && phrase.code === 'not_understood') return once
  // 隔天早上9点 could be taken for tomorrow; in a field for what repeats that would be a guess.
  const isUnread = phrase.code === 'not_understood' || (phrase.code === 'range' && once.ok)
  if (!isUnread) return refusal(phrase.code, language)
  return once.ok ? once : refusal(once.code, language)
}

/** A rule with its list of clocks is longer than a phrase. */
const LONGEST_RULE = 500

function readRule(text: string, { timezone, language, now }: RecurrenceRequest): Found {
  const found = recurrenceOfRrule(text, timezone, now)
  return 'code' in found ? refuseRule(found, language) : { ok: true, ...found }
}

const PHRASE_NOTES: Record<PhraseNote, Record<'zh' | 'en', string>> = {
  quarter_begins: {
    zh: '理解为每个季度的第一天(1、4、7、10月1日)',
    en: 'Read as the first day of each quarter (1 January, April, July and October)',
  },
}

/** One moment, or the refusal of the time reader in its own words: they speak of a time and not of repeating. */
function readOnce(text: string, { timezone, language, now }: RecurrenceRequest): Found {
  const time = parseTimeExpression({ text, now, zone: timezone, language })
  if (time.ok) {
    const at = new Date(Math.ceil(time.instant.getTime() / 1000) * 1000).toISOString()
    return { ok: true, recurrence: { kind: 'at', at, timezone }, ...(time.note ? { note: time.note } : {}) }
  }
  const code = time.code === 'recurring' || time.code === 'empty' ? 'not_understood' : time.code
  return { ok: false, code, hint: `at: ${time.hint}` }
}

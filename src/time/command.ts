import { createInterface } from 'node:readline'
import { DateTime } from 'luxon'
import { describeTime } from './describe-time'
import { parseTimeExpression } from './parse-time-expression'
import { readRecurrence } from './recurrence'
import type { RecurrenceReading } from './recurrence/contract'
import { refusal } from './recurrence/refusals'
import { DEFAULT_ZONE, detectLanguage, isKnownZone } from './zones'

export interface TimeCommand {
  stdin: NodeJS.ReadableStream
  stdout: { write(text: string): unknown }
  zone: string
  now: Date
}

/**
 * With words it answers a person, false when they are no time; without, it reads a JSON line per question and writes one per
 * answer. `--repeat` asks for what repeats and its next five runs.
 */
export async function runTimeCommand(
  argv: readonly string[],
  { stdin, stdout, zone, now }: TimeCommand,
): Promise<boolean> {
  const isRepeat = argv.includes('--repeat')
  const given = argv.filter((each) => each !== '--repeat')
  const zoneAt = given.indexOf('--zone')
  const words = given.filter((_, index) => zoneAt < 0 || (index !== zoneAt && index !== zoneAt + 1))
  const asked = zoneAt < 0 ? zone : (given[zoneAt + 1] ?? '')
  if (words.length > 0) {
    const answer = isRepeat ? answerRepeat : answerPerson
    const { text, isTime } = answer(words.join(' '), now, asked)
    stdout.write(`${text}\n`)
    return isTime
  }
  for await (const line of createInterface({ input: stdin })) {
    if (line.trim() === '') continue
    stdout.write(`${JSON.stringify(isRepeat ? answerRepeatLine(line) : answerLine(line))}\n`)
  }
  return true
}

function answerRepeat(text: string, now: Date, zone: string): { text: string; isTime: boolean } {
  if (!isKnownZone(zone)) return { text: `unknown time zone: ${zone}`, isTime: false }
  const language = detectLanguage(text)
  const reading = readRepeat(text, now, zone, language)
  if (!reading.ok) return { text: `${reading.code}: ${reading.hint}`, isTime: false }
  const runs = reading.nextRuns.map(({ at, note }) => `  ${localIso(at, zone)}${note ? ` (${note})` : ''}`)
  return { text: [`${reading.words} · ${zone}`, ...runs, ...reading.notes].join('\n'), isTime: true }
}

function answerRepeatLine(line: string): { next: string[] } | { error: string; hint: string } {
  const question = readQuestion(line)
  if (!question) return { error: 'invalid_question', hint: 'A line is {"text", "lang", "tz", "reference"} in JSON.' }
  const { text, now, zone, language = detectLanguage(text) } = question
  const reading = readRepeat(text, now, zone, language)
  if (!reading.ok) return { error: reading.code, hint: reading.hint }
  return { next: reading.nextRuns.map(({ at }) => localIso(at, zone)) }
}

/** What happens once does not repeat, and is refused here. */
function readRepeat(text: string, now: Date, timezone: string, language: 'zh' | 'en'): RecurrenceReading {
  const reading = readRecurrence({ repeat: text, now, timezone, language })
  const isOnce = reading.ok && reading.recurrence.kind === 'at'
  return isOnce ? refusal('not_understood', language) : reading
}

const localIso = (at: Date, zone: string): string =>
  DateTime.fromJSDate(at, { zone }).toISO({ suppressMilliseconds: true }) ?? ''

function answerPerson(text: string, now: Date, zone: string): { text: string; isTime: boolean } {
  if (!isKnownZone(zone)) return { text: `unknown time zone: ${zone}`, isTime: false }
  const language = detectLanguage(text)
  const answer = parseTimeExpression({ text, now, zone, language })
  if (!answer.ok) return { text: `${answer.code}: ${answer.hint}`, isTime: false }
  const { local, phrase } = describeTime(answer.instant, now, zone, language)
  return { text: [`${local} ${zone}`, phrase, answer.note].filter(Boolean).join(' · '), isTime: true }
}

function answerLine(line: string): { iso: string } | { iso: null; error: string } {
  const question = readQuestion(line)
  if (!question) return { iso: null, error: 'invalid_question' }
  const answer = parseTimeExpression(question)
  return answer.ok ? { iso: answer.local } : { iso: null, error: answer.code }
}

function readQuestion(line: string): Parameters<typeof parseTimeExpression>[0] | undefined {
  try {
    const { text, reference, tz, lang } = JSON.parse(line) as Record<string, unknown>
    if (typeof text !== 'string' || typeof reference !== 'string' || typeof tz !== 'string' || !isKnownZone(tz))
      return undefined
    const now = DateTime.fromISO(reference, { zone: tz })
    const language = lang === 'zh' || lang === 'en' ? lang : undefined
    return now.isValid ? { text, now: now.toJSDate(), zone: tz, language } : undefined
  } catch {
    return undefined
  }
}

if (require.main === module) {
  void runTimeCommand(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    zone: DEFAULT_ZONE,
    now: new Date(),
  }).then((isTime) => {
    if (!isTime) process.exitCode = 1
  })
}

import { createInterface } from 'node:readline'
import { DateTime } from 'luxon'
import { describeTime } from './describe-time'
import { parseTimeExpression } from './parse-time-expression'
import { DEFAULT_ZONE, detectLanguage, isKnownZone } from './zones'

export interface TimeCommand {
  stdin: NodeJS.ReadableStream
  stdout: { write(text: string): unknown }
  zone: string
  now: Date
}

/**
 * With words it answers a person, false when they are no time; without, it reads a JSON line per question and writes one per
 * answer.
 */
export async function runTimeCommand(
  argv: readonly string[],
  { stdin, stdout, zone, now }: TimeCommand,
): Promise<boolean> {
  const zoneAt = argv.indexOf('--zone')
  const words = argv.filter((_, index) => zoneAt < 0 || (index !== zoneAt && index !== zoneAt + 1))
  const asked = zoneAt < 0 ? zone : (argv[zoneAt + 1] ?? '')
  if (words.length > 0) {
    const { text, isTime } = answerPerson(words.join(' '), now, asked)
    stdout.write(`${text}\n`)
    return isTime
  }
  for await (const line of createInterface({ input: stdin })) {
    if (line.trim() !== '') stdout.write(`${JSON.stringify(answerLine(line))}\n`)
  }
  return true
}

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

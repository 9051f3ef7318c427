import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Culture, recognizeDateTime } from '@microsoft/recognizers-text-date-time'
import * as chrono from 'chrono-node'
import { DateTime } from 'luxon'
import { parseTimeExpression } from '../src/time/parse-time-expression'
import { detectLanguage } from '../src/time/zones'
import { NOW, ZONE } from '../test/time/cases'
import { readRecurrence } from '../src/time/recurrence'
import { PHRASES_BY_RULE, REFUSED_PHRASES } from '../test/time/recurrence/repeat-phrases'
import { rrulestr } from 'rrule'
import { READ_BY_SECOND, STILL_REFUSED } from '../test/time/second-reader-cases'

/** npm run bench time: our reader, chrono and Recognizers on the same texts in one run. `-- fuzz` hunts for slow texts. */
interface Case {
  text: string
  reference: string
  tz: string
  lang: 'zh' | 'en'
  /** Null must be refused; otherwise the answers that are right, with null where refusing is right too. */
  expected: (string | null)[] | null
}

type Reader = (question: Case, now: Date) => Date | undefined

const FALLBACK: Case[] = [
  ['in 20 minutes', ['2025-10-30T15:20:00']],
  ['tomorrow at 9am', ['2025-10-31T09:00:00']],
  ['half past eight tonight', ['2025-10-30T20:30:00']],
  ['in twenty-five minutes', ['2025-10-30T15:25:00']],
  ['next Friday at 5pm', ['2025-11-07T17:00:00']],
  ['every day at 9', null],
  ['soon', null],
  ['半小时后', ['2025-10-30T15:30:00']],
  ['1小时20分钟后', ['2025-10-30T16:20:00']],
  ['今晚12点', ['2025-10-31T00:00:00']],
  ['下周一上午十点', ['2025-11-03T10:00:00']],
  ['明天下午三点一刻', ['2025-10-31T15:15:00']],
  ['每天早上9点', null],
  ['随便', null],
].map(([text, expected]) => ({
  text: String(text),
  reference: '2025-10-30T15:00:00',
  tz: 'Asia/Shanghai',
  lang: detectLanguage(String(text)),
  expected: expected as string[] | null,
}))

function loadCases(): { name: string; cases: Case[] } {
  const path = resolve(process.cwd(), '../shared/time/public.jsonl')
  if (!existsSync(path)) return { name: 'the built-in set', cases: FALLBACK }
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return { name: 'public.jsonl', cases: lines.map((line) => JSON.parse(line) as Case) }
}

const ours: Reader = ({ text, tz, lang }, now) => {
  const answer = parseTimeExpression({ text, now, zone: tz, language: lang })
  return answer.ok ? answer.instant : undefined
}

/** As if chrono were not asked where our grammar does not understand. */
const grammarAlone: Reader = ({ text, tz, lang }, now) => {
  const answer = parseTimeExpression({ text, now, zone: tz, language: lang })
  return answer.ok && !answer.bySecondReader ? answer.instant : undefined
}

const withChrono: Reader = ({ text, tz, lang }, now) => {
  const timezone = DateTime.fromJSDate(now, { zone: tz }).offset
  const parser = lang === 'zh' ? chrono.zh : chrono.en
  return parser.parseDate(text, { instant: now, timezone }, { forwardDate: true }) ?? undefined
}

interface Resolution {
  values?: { type: string; value?: string }[]
}

const withRecognizers: Reader = ({ text, tz, lang }, now) => {
  // It knows no zones: it is given the local clock and its answer is read as one.
  const local = DateTime.fromJSDate(now, { zone: tz }).setZone('local', { keepLocalTime: true }).toJSDate()
  const culture = lang === 'zh' ? Culture.Chinese : Culture.English
  const found = recognizeDateTime(text, culture, undefined, local)
  const values = (found[0]?.resolution as Resolution | undefined)?.values ?? []
  for (const { value } of values) {
    const at = value?.length === 8 ? `${DateTime.fromJSDate(now, { zone: tz }).toISODate()} ${value}` : value
    const then = DateTime.fromSQL(at ?? '', { zone: tz })
    if (then.isValid && then.toJSDate() > now) return then.toJSDate()
  }
  return undefined
}

function isRight({ expected, tz }: Case, answer: Date | undefined): boolean {
  if (expected === null) return answer === undefined
  if (answer === undefined) return expected.includes(null)
  const local = DateTime.fromJSDate(answer, { zone: tz })
  return expected.some((wanted) => wanted !== null && matches(wanted, local, tz))
}

function matches(wanted: string, answer: DateTime, tz: string): boolean {
  const at = (text: string): DateTime => DateTime.fromISO(text, { zone: tz })
  const [from, to] = wanted.split('/')
  if (from && to) return answer >= at(from) && answer <= at(to)
  if (wanted.length === 10) return answer.toISODate() === wanted
  const unit = at(wanted).second === 0 ? 'minute' : 'second'
  return answer.startOf(unit).toMillis() === at(wanted).startOf(unit).toMillis()
}

function measure(name: string, reader: Reader, cases: Case[], rounds: number): { name: string; rate: number } {
  const moments = cases.map(({ reference, tz }) => DateTime.fromISO(reference, { zone: tz }).toJSDate())
  const answers = cases.map((question, index) => reader(question, moments[index] ?? new Date()))
  const right = cases.filter((question, index) => isRight(question, answers[index])).length
  const wrong = cases.filter(
    (question, index) => answers[index] !== undefined && !isRight(question, answers[index]),
  ).length
  const started = performance.now()
  for (let round = 0; round < rounds; round += 1)
    cases.forEach((question, index) => reader(question, moments[index] ?? new Date()))
  const rate = (rounds * cases.length) / ((performance.now() - started) / 1000)
  const percent = (count: number): string => `${((100 * count) / cases.length).toFixed(1)}%`.padStart(6)
  console.log(
    `${name.padEnd(12)} ${rate.toFixed(0).padStart(7)} parses/s  right ${percent(right)}  silently wrong ${percent(wrong)}`,
  )
  return { name, rate }
}

function compare(): void {
  const { name, cases } = loadCases()
  console.log(`${cases.length} texts from ${name}`)
  compareSecondReader()
  const own = measure('punctual', ours, cases, 10)
  for (const other of [measure('chrono', withChrono, cases, 10), measure('recognizers', withRecognizers, cases, 1)])
    console.log(`punctual is ${(own.rate / other.rate).toFixed(1)} times as fast as ${other.name}`)
}

const OWN_FORMS: Case[] = [
  ...Object.entries(READ_BY_SECOND).map(([text, at]) => ({ text, expected: [at] })),
  ...Object.values(STILL_REFUSED).map((text) => ({ text, expected: null })),
].map((each) => ({ ...each, reference: NOW, tz: ZONE, lang: 'en' }))

/** English alone, our grammar by itself and with the second reader. On a corpus that is read whole nothing can rise. */
function compareSecondReader(): void {
  const { name, cases } = loadCases()
  for (const [title, all] of [
    [`English of ${name}`, cases.filter(({ lang }) => lang === 'en')],
    ['own list of forms beyond our grammar', OWN_FORMS],
  ] as const) {
    const alone = recallOf(grammarAlone, all)
    const both = recallOf(ours, all)
    console.log(
      `second reader, ${title}: read ${alone.read} of ${alone.readable} alone, ${both.read} with it; silently wrong ${alone.wrong}, ${both.wrong}`,
    )
  }
}

function recallOf(reader: Reader, cases: Case[]): { read: number; readable: number; wrong: number } {
  const answered = cases.map((question) => {
    const answer = reader(question, DateTime.fromISO(question.reference, { zone: question.tz }).toJSDate())
    return { readable: question.expected !== null, read: answer !== undefined, right: isRight(question, answer) }
  })
  const readable = answered.filter((each) => each.readable)
  return {
    read: readable.filter(({ right }) => right).length,
    readable: readable.length,
    wrong: answered.filter(({ read, right }) => read && !right).length,
  }
}

/** A small generator of its own, so that a run can be repeated by its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PIECES =
  `明天 下周一 上午 下午 三点 半 十五分 后 前 每 到 - : / . , 年 月 日 号 农历 初 廿 一 二 十 百 零 个 小时 分钟 大 下 上 第 最后
  tomorrow next friday at in half past quarter to a an and of the twenty five one hundred pm am o'clock ish weeks from before
  christmas easter 2025 10 3 99999999999999999999 0 1e9 T12:00 +08:00 ( ) " ' \u0000 \ud800 ﷺ 😀 除夕 冬至 中秋 business days`.split(
    /\s+/,
  )
const HOSTILE = [
  '下周一上午',
  'next week ',
  '1',
  '一',
  'half ',
  '(',
  '大',
  '下',
  'and a half ',
  'the ',
  '12/',
  '3-',
  ' ',
  'ﷺ',
  'in 1 day, ',
]

function hostileText(random: (below: number) => number): string {
  const kind = random(4)
  if (kind === 0) return (HOSTILE[random(HOSTILE.length)] ?? '').repeat(random(300))
  if (kind === 1) return String.fromCharCode(...Array.from({ length: random(250) }, () => random(65_536)))
  const joint = kind === 2 ? ' ' : ''
  return Array.from({ length: random(60) }, () => PIECES[random(PIECES.length)])
    .join(joint)
    .slice(0, 200)
}

function fuzz(count: number): void {
  const random = createRandom(20_251_030)
  const zones = ['Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe', 'UTC']
  let worst = { ms: 0, text: '' }
  let read = 0
  for (let index = 0; index < count; index += 1) {
    const text = hostileText(random)
    const now = new Date(Date.UTC(2025, random(24), 1 + random(28), random(24), random(60)))
    const question = { text, now, zone: zones[random(zones.length)] ?? 'UTC' }
    const ms = millisecondsOf(question)
    if (parseTimeExpression(question).ok) read += 1
    if (ms <= worst.ms) continue
    // A busy machine stops any parse for a while; the text is to blame only if it is slow each time.
    const again = Math.min(ms, ...Array.from({ length: 5 }, () => millisecondsOf(question)))
    if (again > worst.ms) worst = { ms: again, text }
  }
  console.log(
    `${count} texts, ${read} read, none threw; worst ${worst.ms.toFixed(2)} ms: ${JSON.stringify(worst.text)}`,
  )
}

function millisecondsOf(question: Parameters<typeof parseTimeExpression>[0]): number {
  const started = performance.now()
  parseTimeExpression(question)
  return performance.now() - started
}

/** What repeats, against the runs that the rrule package computes from the rule of each phrase. */
function scoreRepeats(): void {
  const now = new Date('2026-11-18T10:00:00Z')
  const runsOf = (repeat: string): string | undefined => {
    const reading = readRecurrence({ repeat, timezone: 'UTC', language: detectLanguage(repeat), now })
    return reading.ok ? reading.nextRuns.map(({ at }) => at.toISOString()).join() : undefined
  }
  const questions = Object.entries(PHRASES_BY_RULE).flatMap(([rule, phrases]) => {
    const oracle = rrulestr(`${rule};BYSECOND=0`, { dtstart: now })
    const runs = oracle.between(now, new Date('2060-01-01'), false, (_, index) => index < 5)
    return phrases.map((text) => ({ text, expected: runs.map((at) => at.toISOString()).join() }))
  })
  const all = [...questions, ...REFUSED_PHRASES.map((text) => ({ text, expected: undefined }))]
  const right = all.filter(({ text, expected }) => runsOf(text) === expected).length
  const wrong = all.filter(({ text, expected }) => runsOf(text) !== undefined && runsOf(text) !== expected).length
  console.log(`repeat phrases: ${right} of ${all.length} right, silently wrong ${wrong}`)
}

if (process.argv.includes('fuzz')) fuzz(100_000)
else {
  scoreRepeats()
  compare()
}

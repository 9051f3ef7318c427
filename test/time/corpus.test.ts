import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DateTime } from 'luxon'
import { parseTimeExpression } from '../../src/time/parse-time-expression'

/** The public corpus lies beside the project on some machines only; where it is absent the tables of cases.ts remain. */
interface Line {
  text: string
  reference: string
  tz: string
  lang: 'zh' | 'en'
  expected: (string | null)[] | null
}
const folder = resolve(__dirname, '../../../shared/time')
const describeCorpus = existsSync(resolve(folder, 'public.jsonl')) ? describe : describe.skip

const load = (name: string): Line[] =>
  readFileSync(resolve(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)

function fits(wanted: string, answer: DateTime, tz: string): boolean {
  const at = (text: string): DateTime => DateTime.fromISO(text, { zone: tz })
  const [from, to] = wanted.split('/')
  if (from && to) return answer >= at(from) && answer <= at(to)
  if (wanted.length === 10) return answer.toISODate() === wanted
  const unit = at(wanted).second === 0 ? 'minute' : 'second'
  return answer.startOf(unit).toMillis() === at(wanted).startOf(unit).toMillis()
}

type Verdict = 'right' | 'wrong' | 'refused'

function judge({ text, reference, tz, lang, expected }: Line): Verdict {
  const now = DateTime.fromISO(reference, { zone: tz }).toJSDate()
  const answer = parseTimeExpression({ text, now, zone: tz, language: lang })
  if (!answer.ok) return expected === null || expected.includes(null) ? 'right' : 'refused'
  const local = DateTime.fromJSDate(answer.instant, { zone: tz })
  return expected?.some((wanted) => wanted !== null && fits(wanted, local, tz)) ? 'right' : 'wrong'
}

const share = (lines: Line[], verdict: Verdict): number =>
  lines.filter((line) => judge(line) === verdict).length / lines.length

describeCorpus('on the public corpus', () => {
  it('is right on 98.5% of the times and silently wrong on 0.3% at most', () => {
    const lines = load('public.jsonl')
    expect(share(lines, 'right')).toBeGreaterThanOrEqual(0.985)
    expect(share(lines, 'wrong')).toBeLessThanOrEqual(0.003)
  })

  it('refuses 98% of what must be refused', () => {
    const lines = load('public.jsonl').filter(({ expected }) => expected === null)
    expect(share(lines, 'right')).toBeGreaterThanOrEqual(0.98)
  })

  it('is right on 97% of the dates', () => {
    expect(share(load('public_day.jsonl'), 'right')).toBeGreaterThanOrEqual(0.97)
  })
})

import { rrulestr } from 'rrule'
import { nextRuns, readRecurrence } from '../../../src/time/recurrence'
import { detectLanguage } from '../../../src/time/zones'
import { PHRASES_BY_RULE, REFUSED_PHRASES } from './repeat-phrases'

/** In UTC the wall clock is the instant, which is all that the oracle knows of zones. */
const NOW = new Date('2026-11-18T10:00:00Z')
const read = (repeat: string) => readRecurrence({ repeat, timezone: 'UTC', language: detectLanguage(repeat), now: NOW })
const isos = (dates: Date[]) => dates.map((date) => date.toISOString())

describe('phrases that repeat, against the rrule package', () => {
  it.each(Object.entries(PHRASES_BY_RULE))('by %s', (rule, phrases) => {
    const oracle = rrulestr(`${rule};BYSECOND=0`, { dtstart: NOW })
    const expected = isos(oracle.between(NOW, new Date('2060-01-01'), false, (_, index) => index < 5))
    const readings = phrases.map((phrase) => {
      const reading = read(phrase)
      return [phrase, reading.ok ? isos(reading.nextRuns.map(({ at }) => at)) : reading.code]
    })
    expect(readings).toEqual(phrases.map((phrase) => [phrase, expected]))
  })

  it.each(REFUSED_PHRASES)('refuses %s with a hint', (phrase) => {
    expect(read(phrase)).toMatchObject({ ok: false, hint: expect.stringMatching(/\S/) as string })
  })

  it('have runs that rise, after now and within their end', () => {
    for (const phrase of Object.values(PHRASES_BY_RULE).flat()) {
      const reading = read(`${phrase} until 2026-12-31`)
      if (!reading.ok) continue
      const runs = nextRuns(reading.recurrence, NOW, 40, NOW).map(({ at }) => at.getTime())
      expect([phrase, runs]).toEqual([phrase, [...new Set(runs)].sort((left, right) => left - right)])
      expect(runs[0]).toBeGreaterThan(NOW.getTime())
      expect(reading.nextRuns.every(({ at }) => at <= new Date('2026-12-31T23:59:59.999Z'))).toBe(true)
    }
  })
})

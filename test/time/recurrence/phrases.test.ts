import * as fc from 'fast-check'
import type { RecurrenceReading } from '../../../src/time/recurrence/contract'
import { readRecurrence } from '../../../src/time/recurrence'
import { CHINESE, ENGLISH, NOW, ZONE } from './cases'

const now = new Date(NOW)

function read(repeat: string, language: 'zh' | 'en'): RecurrenceReading {
  return readRecurrence({ repeat, timezone: ZONE, language, now })
}

/** A reading in one line: cron expressions, "every" and the seconds, "once" and the instant, or "no" and the code. */
function inOneLine(reading: RecurrenceReading): string {
  if (!reading.ok) return `no: ${reading.code}`
  const { recurrence } = reading
  if (recurrence.kind === 'every') return `every ${recurrence.seconds}`
  if (recurrence.kind === 'at') return `once ${recurrence.at}`
  if (recurrence.kind === 'rrule') return recurrence.rule
  const zone = recurrence.timezone === ZONE ? '' : ` in ${recurrence.timezone}`
  return recurrence.expressions.join(' + ') + zone
}

describe('phrases that repeat', () => {
  it.each(Object.entries(CHINESE))('reads %s as %s', (text, expected) => {
    expect(inOneLine(read(text, 'zh'))).toBe(expected)
  })

  it.each(Object.entries(ENGLISH))('reads %s as %s', (text, expected) => {
    expect(inOneLine(read(text, 'en'))).toBe(expected)
  })

  it('reads the same in whatever language the answer is', () => {
    for (const text of [...Object.keys(CHINESE), ...Object.keys(ENGLISH)]) {
      const [zh, en] = [read(text, 'zh'), read(text, 'en')]
      // Only a single moment is read by the time module, whose two grammars differ on purpose.
      if (zh.ok && zh.recurrence.kind !== 'at') expect([text, inOneLine(en)]).toEqual([text, inOneLine(zh)])
    }
  })

  it('gives a hint in the language of the person with every refusal', () => {
    const hintFor = (text: string, language: 'zh' | 'en'): string => {
      const reading = read(text, language)
      return reading.ok ? '' : reading.hint
    }
    expect(hintFor('每年春节', 'zh')).toMatch(/\p{Script=Han}/u)
    expect(hintFor('every second Tuesday', 'en')).toMatch(/^[\x20-\x7e]+$/)
  })
})

const WORDS = [...Object.keys(CHINESE), ...Object.keys(ENGLISH)].flatMap((text) => text.split(/(?<=[^a-z])|\s+/i))

describe('whatever the text', () => {
  it('is read or refused, and never throws', () => {
    const soup = fc
      .array(fc.constantFrom(...WORDS, ' ', ',', '*', '/', '-'), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), soup),
        fc.constantFrom('zh', 'en'),
        (text, language) => {
          for (const key of ['repeat', 'at', 'cronExpr'] as const) {
            const reading = readRecurrence({ [key]: text, timezone: ZONE, language, now })
            if (reading.ok) expect(reading.nextRuns.length).toBeGreaterThan(0)
            else expect(reading.hint).not.toBe('')
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is refused when it is longer than a time can be, before anything reads it', () => {
    for (const text of ['每'.repeat(100_000), 'every '.repeat(50_000), '1,'.repeat(100_000), '* '.repeat(100_000)]) {
      expect(read(text, 'zh')).toMatchObject({ ok: false, code: 'too_long' })
    }
  })

  it('of two hundred hostile characters is answered', () => {
    for (const part of ['每周一', 'every mon and ', '1号和', '每隔', 'at 8 and ', '1,', '一二三', 'the 1st, ']) {
      const text = part.repeat(Math.floor(200 / part.length))
      expect(read(text, 'en')).toHaveProperty('ok')
    }
  })
})

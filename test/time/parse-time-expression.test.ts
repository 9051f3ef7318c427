import { DateTime } from 'luxon'
import type { TimeReading, TimeRefusal } from '../../src/time/parse-time-expression'
import { parseTimeExpression } from '../../src/time/parse-time-expression'
import { CHINESE, ENGLISH, NOW, REFUSED, ZONE } from './cases'

const ask = (text: string, now = NOW, zone = ZONE): TimeReading | TimeRefusal =>
  parseTimeExpression({ text, now: new Date(now), zone })

const localOf = (answer: TimeReading | TimeRefusal): string => {
  if (!answer.ok) return answer.code
  return DateTime.fromJSDate(answer.instant, { zone: answer.zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
}

describe('what a person means', () => {
  it.each(Object.entries(ENGLISH))('reads "%s" as %s', (text, local) => {
    expect(localOf(ask(text))).toBe(local)
  })

  it.each(Object.entries(CHINESE))('reads "%s" as %s', (text, local) => {
    expect(localOf(ask(text))).toBe(local)
  })

  it('does not care for capitals, full width or spaces inside Chinese', () => {
    expect(localOf(ask('  TOMORROW   AT 9AM '))).toBe('2025-10-31T09:00:00')
    expect(localOf(ask('明 天 下 午 ３ 点 ３０ 分'))).toBe('2025-10-31T15:30:00')
  })

  it('says whether the time was relative or absolute', () => {
    expect(ask('in 5 minutes')).toMatchObject({ ok: true, kind: 'relative' })
    expect(ask('tomorrow at 9am')).toMatchObject({ ok: true, kind: 'absolute' })
  })
})

describe('what is refused', () => {
  const refusals = Object.entries(REFUSED).flatMap(([code, texts]) =>
    texts.map((text) => [text.slice(0, 40), code, text]),
  )

  it.each(refusals)('refuses "%s" as %s', (_shown, code, text) => {
    const answer = ask(text ?? '')
    expect(answer.ok ? answer.local : answer.code).toBe(code)
  })

  it('hints in the language of the text', () => {
    expect(ask('soon')).toMatchObject({ hint: expect.stringContaining('tomorrow at 9am') as string })
    expect(ask('随便')).toMatchObject({ hint: expect.stringContaining('明天早上9点') as string })
  })

  it('tells the moment that has passed, for callers to whom past means at once', () => {
    expect(ask('2025-10-30T14:00:00+08:00')).toMatchObject({ code: 'past', instant: new Date('2025-10-30T06:00:00Z') })
    expect(ask('two hours ago')).toMatchObject({ code: 'past', instant: new Date('2025-10-30T05:00:00Z') })
  })
})

describe('what a person is told of the reading', () => {
  it('names the hour when it was ours to choose', () => {
    expect(ask('tomorrow')).toMatchObject({ note: 'read as 09:00' })
    expect(ask('明天3点')).toMatchObject({ note: '按15:00理解' })
  })

  it('says nothing when there was nothing to choose', () => {
    expect(ask('in 5 minutes')).not.toHaveProperty('note')
    expect(ask('明天下午3点')).not.toHaveProperty('note')
  })

  it('says nothing of an hour that is read just as it was said', () => {
    expect(ask('明天10点')).not.toHaveProperty('note')
    expect(ask('tomorrow at ten to eight')).not.toHaveProperty('note')
    expect(ask('明天0点')).toMatchObject({ note: '按00:00理解' })
  })

  it('names the weekday when the text had it wrong', () => {
    expect(ask('Friday, November 5 at 9am')).toMatchObject({ note: 'that date is a Wednesday' })
  })
})

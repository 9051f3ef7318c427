import { parseTimeExpression } from '../../src/time/parse-time-expression'

const NEW_YORK = 'America/New_York'
const read = (text: string, now: string, zone = NEW_YORK): string => {
  const answer = parseTimeExpression({ text, now: new Date(now), zone })
  return answer.ok ? answer.local : answer.code
}
const noteOf = (text: string, now: string): string | undefined => {
  const answer = parseTimeExpression({ text, now: new Date(now), zone: NEW_YORK })
  return answer.ok ? answer.note : answer.code
}

const BEFORE_SPRING = '2026-03-07T12:00:00-05:00'
const BEFORE_AUTUMN = '2025-11-01T12:00:00-04:00'

describe('across a DST change', () => {
  it('counts hours and minutes as elapsed time', () => {
    expect(read('in 24 hours', BEFORE_SPRING)).toBe('2026-03-08T13:00:00-04:00')
    expect(read('in 24 hours', BEFORE_AUTUMN)).toBe('2025-11-02T11:00:00-05:00')
    expect(read('2分钟后', '2026-03-08T01:59:00-05:00')).toBe('2026-03-08T03:01:00-04:00')
  })

  it('counts days and weeks by the calendar', () => {
    expect(read('in 1 day', BEFORE_SPRING)).toBe('2026-03-08T12:00:00-04:00')
    expect(read('一周后', BEFORE_AUTUMN)).toBe('2025-11-08T12:00:00-05:00')
    expect(read('in 1 day and 2 hours', BEFORE_SPRING)).toBe('2026-03-08T14:00:00-04:00')
  })

  it('moves a clock that is skipped forward by the gap, and says so', () => {
    expect(read('tomorrow at 2:30am', BEFORE_SPRING)).toBe('2026-03-08T03:30:00-04:00')
    expect(noteOf('tomorrow at 2:30am', BEFORE_SPRING)).toContain('skipped')
    expect(read('2026-03-08T02:30:00', BEFORE_SPRING)).toBe('2026-03-08T03:30:00-04:00')
  })

  it('takes the first of a clock that happens twice, and says so', () => {
    expect(read('tomorrow at 1:30am', BEFORE_AUTUMN)).toBe('2025-11-02T01:30:00-04:00')
    expect(noteOf('明天凌晨1点半', BEFORE_AUTUMN)).toContain('两次')
  })

  it('knows half-hour changes and zones without any', () => {
    expect(read('tomorrow at 2:15am', '2025-10-04T12:00:00+10:30', 'Australia/Lord_Howe')).toBe(
      '2025-10-05T02:45:00+11:00',
    )
    expect(read('明天早上9点', '2026-03-07T12:00:00+08:00', 'Asia/Shanghai')).toBe('2026-03-08T09:00:00+08:00')
  })
})

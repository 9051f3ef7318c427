import { describeTime } from '../../src/time/describe-time'

const NOW = new Date('2025-10-30T15:00:00+08:00')
const phrase = (instant: string, language: 'zh' | 'en'): string =>
  describeTime(new Date(instant), NOW, 'Asia/Shanghai', language).phrase

describe('describeTime', () => {
  it('gives the local time with its offset', () => {
    expect(describeTime(new Date('2025-10-31T01:00:00Z'), NOW, 'Asia/Shanghai', 'en').local).toBe(
      '2025-10-31T09:00:00+08:00',
    )
  })

  it.each([
    ['2025-10-30T15:00:00+08:00', 'now', '现在'],
    ['2025-10-30T15:00:45+08:00', 'in 45 s', '45 秒后'],
    ['2025-10-30T15:19:00+08:00', 'in 19 min', '19 分钟后'],
    ['2025-10-30T17:05:00+08:00', 'in 2 h 5 min', '2 小时 5 分钟后'],
    ['2025-10-30T20:00:00+08:00', 'today 20:00 (in 5 h)', '今天 20:00 (5 小时后)'],
    ['2025-10-31T09:00:00+08:00', 'tomorrow 09:00 (in 18 h)', '明天 09:00 (18 小时后)'],
    ['2025-11-05T09:00:00+08:00', 'Wed 5 Nov 09:00 (in 6 d)', '11月5日 周三 09:00 (6 天后)'],
    ['2026-02-16T20:00:00+08:00', 'Mon 16 Feb 2026 20:00 (in 109 d)', '2026年2月16日 周一 20:00 (109 天后)'],
    ['2025-10-30T14:50:00+08:00', '10 min ago', '10 分钟前'],
  ])('says %s as "%s" and "%s"', (instant, english, chinese) => {
    expect(phrase(instant, 'en')).toBe(english)
    expect(phrase(instant, 'zh')).toBe(chinese)
  })
})

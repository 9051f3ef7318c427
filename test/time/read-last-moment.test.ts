import { readLastMoment } from '../../src/time/read-last-moment'
import { NOW, ZONE } from './cases'

const lastOf = (text: string, zone = ZONE): string => {
  const reading = readLastMoment({ text, now: new Date(NOW), zone, language: 'en' })
  return reading.ok ? reading.instant.toISOString() : reading.code
}

describe('the moment up to which something holds', () => {
  it.each([
    ['2025-12-24', '2025-12-24T15:59:59.999Z'],
    ['December 24', '2025-12-24T15:59:59.999Z'],
    ['12月24日', '2025-12-24T15:59:59.999Z'],
    ['下周五', '2025-11-07T15:59:59.999Z'],
    ['年底', '2025-12-31T15:59:59.999Z'],
    ['end of november', '2025-11-30T15:59:59.999Z'],
    ['today', '2025-10-30T15:59:59.999Z'],
    ['今天', '2025-10-30T15:59:59.999Z'],
  ])('is the end of the day for %s', (text, end) => {
    expect(lastOf(text)).toBe(end)
  })

  it('ends the day in the zone that is asked about', () => {
    expect(lastOf('2025-12-24', 'America/New_York')).toBe('2025-12-25T04:59:59.999Z')
  })

  it.each([
    ['2025-12-24 18:00', '2025-12-24T10:00:00.000Z'],
    ['2025-12-24T18:00:00+08:00', '2025-12-24T10:00:00.000Z'],
    ['tomorrow evening', '2025-10-31T12:00:00.000Z'],
    ['in 3 days', '2025-11-02T07:00:00.000Z'],
    ['今天下午两点', 'past'],
    ['yesterday', 'past'],
    ['whenever', 'not_understood'],
  ])('is the time itself, or a refusal, for %s', (text, end) => {
    expect(lastOf(text)).toBe(end)
  })
})

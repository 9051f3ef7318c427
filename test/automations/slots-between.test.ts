import { slotsBetween } from '../../src/automations/reconciler'
import { nextRuns } from '../../src/time'

const at = (time: string) => new Date(`2026-11-18T${time}Z`)
const EVERY_MINUTE = { kind: 'cron', expressions: ['* * * * *'], timezone: 'Asia/Shanghai' } as const

function search(from: string, to: string, limit = 10_000) {
  let asked = 0
  const slots = slotsBetween({ from: at(from), to: at(to), limit }, (after, count) => {
    asked += count
    return nextRuns({ ...EVERY_MINUTE, expressions: [...EVERY_MINUTE.expressions] }, after, count).map((run) => run.at)
  })
  return { slots: slots.map((slot) => slot.toISOString().slice(11, 16)), asked }
}

test('a pass that finds no slot has looked for one, not for thousands', () => {
  expect(search('08:00:10', '08:00:40')).toEqual({ slots: [], asked: 1 })
})

test('all slots after a moment up to another are found, the last one included', () => {
  const { slots, asked } = search('08:00:00', '08:10:00')
  expect(slots).toEqual(Array.from({ length: 10 }, (_, index) => `08:${String(index + 1).padStart(2, '0')}`))
  expect(asked).toBeLessThan(2 * 10 + 2)
})

test('no more than the limit are taken, the first ones', () => {
  expect(search('08:00:00', '09:00:00', 5).slots).toEqual(['08:01', '08:02', '08:03', '08:04', '08:05'])
})

test('what happens once is found once, and then no more', () => {
  const once = (after: Date) => (after < at('08:05:00') ? [at('08:05:00')] : [])
  expect(slotsBetween({ from: at('08:00:00'), to: at('09:00:00'), limit: 10 }, once)).toEqual([at('08:05:00')])
})

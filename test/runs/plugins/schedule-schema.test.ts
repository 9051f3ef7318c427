import type { JsonValue } from '../../../src/contracts/words'
import { addSchedule, isSchedulable, readSchedule, removeSchedule } from '../../../src/runs/plugins/schedule-schema'

test.each<[JsonValue, object]>([
  ['in 2 minutes', { when: 'in 2 minutes' }],
  [' 2分钟后 ', { when: '2分钟后' }],
  [
    { when: 'in 5 minutes', language: 'en', timezone: 'Asia/Shanghai', extra: 1 },
    { when: 'in 5 minutes', language: 'en', timezone: 'Asia/Shanghai' },
  ],
  [{ when: '明天09:00', language: null, timezone: '' }, { when: '明天09:00' }],
  ['', { error: 'schedule says no time: "when" is missing' }],
  [{}, { error: 'schedule says no time: "when" is missing' }],
  [{ when: 5 }, { error: 'schedule says no time: "when" is missing' }],
  [{ when: 'now', timezone: 8 }, { error: 'schedule.timezone must be text such as Asia/Shanghai' }],
  [5, { error: 'schedule must be a time expression, or an object with "when"' }],
  [null, { error: 'schedule must be a time expression, or an object with "when"' }],
  [['in 2 minutes'], { error: 'schedule must be a time expression, or an object with "when"' }],
])('reads %j', (value, expected) => {
  expect(readSchedule(value)).toEqual(expected)
})

test('can be added to a schema and taken out again', () => {
  const bare = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const scheduled = addSchedule(bare)
  expect([isSchedulable(bare), isSchedulable(scheduled), isSchedulable({ type: 'object' })]).toEqual([
    false,
    true,
    false,
  ])
  expect(removeSchedule({ ...scheduled, required: ['a', 'schedule'] })).toEqual(bare)
})

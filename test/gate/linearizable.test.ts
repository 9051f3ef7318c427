import { isLinearizable } from '../../gate/programs/linearizable'
import type { Operation } from '../../gate/programs/linearizable'

type State = 'pending' | 'sent' | 'cancelled'

const due = (calledMs: number, answeredMs: number): Operation<State> => ({
  ...{ name: 'due', calledMs, answeredMs },
  apply: (state) => (state === 'pending' ? 'sent' : state),
})
const cancel = (won: boolean, calledMs: number, answeredMs: number): Operation<State> => ({
  ...{ name: 'cancel', calledMs, answeredMs },
  apply: (state) => {
    if (won) return state === 'pending' ? 'cancelled' : undefined
    return state === 'pending' ? undefined : state
  },
})

test('a cancel that overlaps with due may win or lose', () => {
  expect(isLinearizable([due(10, 20), cancel(true, 5, 15)], 'pending')).toBe(true)
  expect(isLinearizable([due(10, 20), cancel(false, 5, 15)], 'pending')).toBe(true)
})

test('a cancel that is asked after the sending was seen cannot win, one that ended before it cannot lose', () => {
  expect(isLinearizable([due(10, 20), cancel(true, 25, 30)], 'pending')).toBe(false)
  expect(isLinearizable([due(10, 20), cancel(false, 1, 5)], 'pending')).toBe(false)
})

test('of two cancels one wins', () => {
  expect(isLinearizable([cancel(true, 1, 9), cancel(true, 2, 8)], 'pending')).toBe(false)
  expect(isLinearizable([cancel(true, 1, 9), cancel(false, 2, 8)], 'pending')).toBe(true)
})

import {
  backOffMs,
  createBatches,
  createSingleFlight,
  createWakeSignal,
  parseRetryAfter,
  startLoop,
  untilAborted,
} from '../../src/engine/waiting'

const LONG_MS = 60_000

test('a wake-up that comes between a look and the wait is not lost', async () => {
  const news = createWakeSignal()
  news.wake()
  await news.wait(LONG_MS)
  const second = news.wait(LONG_MS)
  news.wake()
  await second
})

test('a wait ends when its signal aborts, before it or during it', async () => {
  const news = createWakeSignal()
  const closed = new AbortController()
  const waiting = news.wait(LONG_MS, closed.signal)
  closed.abort()
  await waiting
  await news.wait(LONG_MS, closed.signal)
})

test('a wait ends at its limit', async () => {
  await createWakeSignal().wait(1)
})

test('what comes while a write is under way is written together by the next; a failure is told to those it concerns', async () => {
  const writes: string[][] = []
  const record = createBatches<string>(async (items) => {
    writes.push(items)
    await Promise.resolve()
    if (items.includes('bad')) throw new Error('refused')
  })
  const first = record('a')
  await Promise.resolve()
  const later = [record('bad'), record('b')]
  await first
  expect(await Promise.allSettled(later)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  await record('c')
  expect(writes).toEqual([['a'], ['bad', 'b'], ['c']])
})

test('whoever asks while the work is under way shares it, and whoever asks later starts it anew', async () => {
  let begun = 0
  const flight = createSingleFlight(() => Promise.resolve((begun += 1)))
  expect(await Promise.all([flight.join(), flight.join()])).toEqual([1, 1])
  expect(flight.current()).toBeUndefined()
  expect(await flight.join()).toBe(2)
})

test('work that failed can be started again', async () => {
  let begun = 0
  const flight = createSingleFlight(() => ((begun += 1), Promise.reject(new Error('away'))))
  await expect(flight.join()).rejects.toThrow('away')
  await expect(flight.join()).rejects.toThrow('away')
  expect(begun).toBe(2)
})

test('a loop goes on after a failure, and its stop waits for the work that is under way', async () => {
  const errors: unknown[] = []
  const third = createWakeSignal()
  let begun = 0
  let ended = 0
  const loop = startLoop(
    async () => {
      begun += 1
      if (begun === 1) throw new Error('away')
      if (begun === 3) third.wake()
      await new Promise((resolve) => setImmediate(resolve))
      ended += 1
    },
    { everyMs: 1, onError: (error) => void errors.push(error) },
  )
  await third.wait(LONG_MS)
  await loop.stop()
  expect(errors).toHaveLength(1)
  expect(ended).toBe(begun - 1)
})

test('each failure doubles the pause, up to the limit', () => {
  const limits = { firstMs: 100, longestMs: 500 }
  expect([1, 2, 3, 4, 5].map((failures) => backOffMs(failures, limits))).toEqual([100, 200, 400, 500, 500])
})

test('Retry-After is seconds or a date, and never in the past', () => {
  const now = Date.parse('2026-11-17T00:00:00Z')
  expect(parseRetryAfter(' 5 ', now)).toBe(5_000)
  expect(parseRetryAfter('Tue, 17 Nov 2026 00:00:09 GMT', now)).toBe(9_000)
  expect(parseRetryAfter('Mon, 16 Nov 2026 00:00:00 GMT', now)).toBe(0)
  expect([parseRetryAfter('soon', now), parseRetryAfter('', now), parseRetryAfter(null, now)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('work is waited for until its signal aborts, and then the reason of the signal is what failed', async () => {
  const closed = new AbortController()
  expect(await untilAborted(closed.signal, Promise.resolve('done'))).toBe('done')
  const waiting = untilAborted(closed.signal, new Promise(() => undefined))
  closed.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
  await expect(untilAborted(closed.signal, Promise.resolve('late'))).rejects.toThrow('over')
})

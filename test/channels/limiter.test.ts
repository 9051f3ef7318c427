import { createLimiter } from '../../src/channels/limiter'
import type { Limiter, Pace } from '../../src/channels/limiter'

const GROUP: Pace[] = [
  { key: 'bot:group', gapMs: 3_000, burst: 2 },
  { key: 'bot', gapMs: 34, burst: 20 },
]

/** Each comes back when it was told to, a little late as timers are, until it has made its call: on a clock of its own. */
function simulate(
  count: number,
  paces: Pace[],
  { width = 20, callMs = 200, leaveOut = (_message: number): boolean => false } = {},
) {
  let clock = 0
  const limiter = createLimiter({ width, now: () => clock })
  const agenda = Array.from({ length: count }, (_, message) => ({ at: 0, act: () => attempt(message) }))
  const sent: { message: number; at: number }[] = []
  let tries = 0
  function attempt(message: number): void {
    tries += 1
    const entry = limiter.enter('bot', paces)
    if ('release' in entry) {
      sent.push({ message, at: clock })
      agenda.push({ at: clock + callMs, act: entry.release })
    } else if (!leaveOut(message))
      agenda.push({ at: clock + entry.waitMs + (message % 7) * 20, act: () => attempt(message) })
  }
  for (;;) {
    agenda.sort((one, other) => one.at - other.at)
    const next = agenda.shift()
    if (!next) return { sent, tries, tookMs: clock }
    clock = Math.max(clock, next.at)
    next.act()
  }
}

test('a hundred messages due together to one group all go, at the pace of the group and with few tries', () => {
  const { sent, tries, tookMs } = simulate(100, GROUP)
  expect(new Set(sent.map(({ message }) => message)).size).toBe(100)
  expect(tookMs).toBeGreaterThan(97 * 3_000)
  expect(tookMs).toBeLessThan(130 * 3_000)
  expect(tries).toBeLessThan(400)
  for (const [index, { at }] of sent.entries()) {
    const inMinute = sent.slice(index).filter((later) => later.at < at + 60_000)
    expect(inMinute.length).toBeLessThanOrEqual(22)
  }
})

test('whoever is told to wait and never comes back keeps nobody out', () => {
  const { sent } = simulate(100, GROUP, { leaveOut: (message) => message % 2 === 1 })
  expect(sent.filter(({ message }) => message % 2 === 0)).toHaveLength(50)
})

test('a thousand reminders of one bot at one call a second are all sent, each after few tries', () => {
  const { sent, tries } = simulate(1_000, [{ key: 'bot', gapMs: 1_000, burst: 2 }], { width: 5 })
  expect(sent).toHaveLength(1_000)
  expect(tries).toBeLessThan(4_000)
})

test('those who find every place taken come back at different times, within a minute', () => {
  const limiter = createLimiter({ width: 4 })
  const waits = Array.from({ length: 12 }, () => limiter.enter('bot')).flatMap((entry) =>
    'waitMs' in entry ? [entry.waitMs] : [],
  )
  expect(waits).toHaveLength(8)
  expect(new Set(waits).size).toBe(8)
  for (const waitMs of waits) expect(waitMs).toBeLessThanOrEqual(60_000)
})

test('a place that is given back twice is free once, and other bots have places of their own', () => {
  const limiter = createLimiter({ width: 2 })
  const [first] = [takePlace(limiter), takePlace(limiter)]
  expect(limiter.enter('bot')).toHaveProperty('waitMs')
  expect(limiter.enter('another')).toHaveProperty('release')
  first.release()
  first.release()
  expect(limiter.enter('bot')).toHaveProperty('release')
  expect(limiter.enter('bot')).toHaveProperty('waitMs')
})

test('the parts of a long message go together, and who comes next waits for all of them', () => {
  let clock = 0
  const limiter = createLimiter({ width: 2, now: () => clock })
  const paces = [{ key: 'chat', gapMs: 1_000, burst: 1 }]
  takePlace(limiter, paces)
  limiter.count(paces)
  limiter.count(paces)
  expect(limiter.enter('bot', paces)).toEqual({ waitMs: 3_000 })
  clock = 3_000
  expect(limiter.enter('bot', paces)).toHaveProperty('release')
})

function takePlace(limiter: Limiter, paces: Pace[] = []): { release(): void } {
  const entry = limiter.enter('bot', paces)
  if ('release' in entry) return entry
  throw new Error('there is no place')
}

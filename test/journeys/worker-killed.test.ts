import { eventually } from '../support/eventually'
import { endProcesses } from '../support/processes'
import { promise, untilNonePending } from '../scheduling/promises'
import { buildWorld, promiseBoth, settle } from './world'
import type { Account, World } from './world'

/** Where the worker dies, and on which channel the message is that brings it there. */
const PLACES = [
  { point: 'before_claim', channel: 'web' },
  { point: 'after_commit_before_ack', channel: 'web' },
  { point: 'before_claim', channel: 'webhook' },
  { point: 'after_claim', channel: 'webhook' },
  { point: 'before_channel', channel: 'webhook' },
  { point: 'after_channel_before_commit', channel: 'webhook' },
  { point: 'after_commit_before_ack', channel: 'webhook' },
] as const
/** With the one that meets the crash point: 7 × 29 = 203 messages. */
const OTHERS = 28

const worlds: World[] = []
afterAll(async () => {
  await endProcesses()
  await Promise.all(worlds.map((world) => world.close()))
}, 60_000)

/**
 * One message falls due alone and kills the worker; the others fall due while nobody works. Another worker then keeps
 * them all. Each place has a database and a namespace of its own, so they share the long wait for Temporal's retries.
 */
async function dieAt({ point, channel }: (typeof PLACES)[number]): Promise<Account> {
  const world = await buildWorld()
  worlds.push(world)
  const { product, open, startWorker } = world
  const doomed = await startWorker(point)
  await promise(product, await open(channel), new Date(Date.now() + 1_500), 'the fatal one')
  const late = eventually(() => !doomed.isRunning(), 60_000)
  await promiseBoth(world, OTHERS, new Date(Date.now() + 8_000))
  await late
  expect(await doomed.ended).toBe('SIGKILL')
  await startWorker()
  await untilNonePending(product.parts.database.pool, 90_000)
  return settle(world)
}

const lives = new Map<string, Promise<Account>>()
const nameOf = ({ point, channel }: (typeof PLACES)[number]) => `${point} on ${channel}`

beforeAll(async () => {
  // A few at a time: what they wait for most of the time is Temporal's clock.
  const waiting = [...PLACES]
  const lane = async () => {
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      const life = dieAt(place)
      life.catch(() => undefined)
      lives.set(nameOf(place), life)
      await life.catch(() => undefined)
    }
  }
  await Promise.all([lane(), lane(), lane()])
}, 400_000)

test.each(PLACES.map((place) => [nameOf(place), place] as const))(
  'a worker killed at %s loses nothing and stores nothing twice',
  async (name, { point }) => {
    const account = await lives.get(name)!
    expect(account.statuses).toEqual({ sent: OTHERS + 1 })
    // Only a call that was taken and not yet written down is made again, with the same id; the receiver can drop it.
    const repeats = Object.values(account.repeated)
    expect(repeats).toEqual(point === 'after_channel_before_commit' ? [2] : [])
    const calledInVain = ['after_claim', 'before_channel', 'after_channel_before_commit']
    expect(account.uncertain).toBeGreaterThanOrEqual(calledInVain.includes(point) ? 1 : 0)
  },
)

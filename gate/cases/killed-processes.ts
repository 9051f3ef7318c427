import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { isPromised, promiseMany } from '../rig/promises'
import type { Promised } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { paceMs, sleep, until } from '../rig/wait'
import { settle, untilDecided } from './settled'

/** Between a promise that is due and the commit that says it arrived; some are passed once a sweep, others once a message. */
const WORKER_POINTS = [
  'before_claim',
  'after_commit_before_ack',
  'before_hand_over:3',
  'handed_over:3',
  'delivery_begun:3',
  'delivered_before_commit:3',
  'delivery_decided:3',
]
const DOOR_POINTS = ['outbox_written', 'workflow_started']
const ORDERS = 10

export const killedProcesses: RigCase[] = [
  {
    kind: 'rig',
    id: 'A1',
    title: 'a worker is killed at each place of a sending, with all in flight',
    n: { full: 200, small: 20 },
    inSmall: true,
    limitMs: 40 * 60_000,
    async run({ n, isSmall, rig: open, say }) {
      const rig = await open({ workers: 0 })
      const all: Promised[] = []
      const points = isSmall ? WORKER_POINTS.slice(4, 6) : WORKER_POINTS
      for (const point of points) {
        const made = await promiseMany(rig, {
          count: n,
          dueMs: Date.now() + 3_000 + n * paceMs(),
          name: point.split(':')[0]!,
        })
        all.push(...made.filter(isPromised))
        const end = await rig.startWorker({ PUNCTUAL_TEST_CRASH_POINT: point }).then(
          (doomed) => doomed.ended,
          (error: Error) => error.message,
        )
        if (!end.includes('SIGKILL')) throw new Error(`at ${point} it ended with ${end}`)
        say(`killed at ${point}`)
        await Promise.all([rig.startWorker(), rig.startWorker()])
        await untilDecided(rig)
        await Promise.all(rig.workers.map((worker) => worker.kill()))
      }
      await rig.startWorker()
      const account = await settle(rig, all)
      return { ...account, ...shortage(points.length * n, all.length, account), figures: { kills: points.length } }
    },
  },
  {
    kind: 'rig',
    id: 'A2',
    title: 'a front door is killed while it promises',
    n: { full: 200, small: 30 },
    inSmall: true,
    limitMs: 20 * 60_000,
    async run({ n, rig: open }) {
      const rig = await open({ doors: 1 })
      const outcomes: Outcome[] = []
      const all: Promised[] = []
      for (const point of DOOR_POINTS) {
        const [safe] = rig.doors
        await rig.startDoor({ PUNCTUAL_TEST_CRASH_POINT: `${point}:${Math.ceil(n / 8)}` })
        const made = await promiseMany(rig, { count: n, dueMs: Date.now() + 45_000 + n * paceMs(), name: point })
        all.push(...made.filter(isPromised))
        await until('the door is dead', () => rig.doors.length === 1)
        if (!safe?.isRunning()) throw new Error('the wrong door died')
        const begun = Date.now()
        await until('everything is told to Temporal', async () => (await outboxSize(rig)) === 0, 60_000)
        const tookS = (Date.now() - begun) / 1_000
        if (tookS > 35) outcomes.push({ ...NONE, misses: [`at ${point} Temporal was told after ${tookS} s`] })
      }
      return together([...outcomes, await settle(rig, all)], { figures: { promised: all.length, asked: 2 * n } })
    },
  },
  {
    kind: 'rig',
    id: 'A7',
    title: 'everything is killed at once and comes back in ten orders',
    n: { full: 200, small: 40 },
    limitMs: 45 * 60_000,
    run: playOrders,
  },
]

const NONE: Outcome = { lost: 0, twice: 0, lateP99Ms: null, misses: [] }

/** Promises that were refused without a fault that explains it. */
function shortage(asked: number, promised: number, { misses }: { misses: string[] }): { misses: string[] } {
  return asked === promised ? { misses } : { misses: [...misses, `${asked - promised} of ${asked} were not promised`] }
}

const outboxSize = async (rig: Rig): Promise<number> =>
  (await rig.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM outbox')).rows[0]!.count

type Part = 'postgres' | 'temporal' | 'door' | 'worker'
const PARTS: Part[] = ['postgres', 'temporal', 'door', 'door', 'worker', 'worker']

async function playOrders({ n, isSmall, rig: open, say }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const all: Promised[] = []
  const orders = isSmall ? 2 : ORDERS
  for (let order = 0; order < orders; order += 1) {
    const made = await promiseMany(rig, {
      count: n / orders,
      dueMs: Date.now() + 6_000 + (n / orders) * paceMs(),
      name: `order-${order}`,
    })
    all.push(...made.filter(isPromised))
    const dying = [...rig.doors, ...rig.workers].map((each) => each.kill())
    rig.postgres.kill()
    rig.temporal.kill()
    await Promise.all(dying)
    const parts = shuffled(PARTS, order)
    say(parts.join(' → '))
    const starting: Promise<void>[] = []
    for (const part of parts) {
      starting.push(bring(rig, part))
      await sleep(1_500)
    }
    await Promise.all(starting)
    await untilDecided(rig)
  }
  const account = await settle(rig, all)
  return { ...account, ...shortage(n, all.length, account), figures: { orders, kills: orders * 6 } }
}

async function bring(rig: Rig, part: Part): Promise<void> {
  if (part === 'door') await rig.startDoor()
  else if (part === 'worker') await rig.startWorker()
  else await rig[part].start()
}

function shuffled<T>(items: T[], seed: number): T[] {
  let state = seed * 7_919 + 1
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return items
    .map((item) => ({ item, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { isPromised, promiseMany } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { paceMs, sleep } from '../rig/wait'
import { lastSentMs, settle } from './settled'

const WITHIN_MS = 60_000

export const servicesAway: RigCase[] = [
  {
    kind: 'rig',
    id: 'A3',
    title: 'Temporal is killed for 20 s across the due times',
    n: { full: 200, small: 40 },
    limitMs: 20 * 60_000,
    run: (context) => acrossDueTimes(context, 'temporal', context.isSmall ? 5_000 : 20_000),
  },
  {
    kind: 'rig',
    id: 'A4',
    title: 'PostgreSQL is killed for 30 s at the due time',
    n: { full: 200, small: 40 },
    limitMs: 20 * 60_000,
    run: (context) => acrossDueTimes(context, 'postgres', context.isSmall ? 5_000 : 30_000),
  },
  {
    kind: 'rig',
    id: 'A5',
    title: 'Temporal is away for five minutes while messages are promised',
    n: { full: 200, small: 40 },
    limitMs: 25 * 60_000,
    async run({ n, isSmall, rig: open }) {
      const rig = await open()
      const awayMs = isSmall ? 5_000 : 300_000
      rig.temporal.kill()
      const killedAt = Date.now()
      const made = await promiseMany(rig, {
        count: n,
        dueMs: killedAt + awayMs + 40_000 + n * paceMs(),
        name: 'away',
        width: 4,
      })
      const promised = made.filter(isPromised)
      const slow = promised.filter(({ tookMs }) => tookMs >= 1_000).length
      await sleep(Math.max(0, killedAt + awayMs - Date.now()))
      await rig.temporal.start()
      const account = await settle(rig, promised)
      const misses = [
        ...(promised.length < n ? [`${n - promised.length} were not promised`] : []),
        ...(slow > 0 ? [`${slow} answers took a second or more`] : []),
      ]
      const slowest = Math.round(Math.max(...promised.map(({ tookMs }) => tookMs)))
      return together([account], { misses: [...account.misses, ...misses], figures: { slowestMs: slowest } })
    },
  },
  {
    kind: 'rig',
    id: 'A6',
    title: 'PostgreSQL is away while messages are asked for: all are refused as not stored',
    n: { full: 200, small: 40 },
    limitMs: 20 * 60_000,
    async run({ n, rig: open }) {
      const rig = await open()
      const known = await promiseMany(rig, { count: 8, dueMs: Date.now() + 3_600_000, name: 'before' })
      rig.postgres.kill()
      const refused: string[] = []
      for (let number = 0; number < n; number += 1) {
        const body = {
          ...{ bot_uuid: rig.bot.uuid, launcher_type: 'person', launcher_id: '1000', channel: 'web' },
          ...{ send_at: 'in 2 hours', message_text: `${rig.canary} refused ${number}` },
        }
        const { status, error } = await rig.call('POST', '/api/v1/scheduled-messages', { key: rig.bot.key, body })
        refused.push(`${status} ${error ?? ''}`)
      }
      await rig.postgres.start()
      const { rows } = await rig.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM scheduled_messages')
      const wrong = refused.filter((said) => !said.startsWith('503'))
      const account = await settle(rig, known.filter(isPromised), { mayEnd: ['pending'], limitMs: 1 })
      const misses = [
        ...(wrong.length > 0 ? [`${wrong.length} were answered otherwise, such as ${wrong[0]}`] : []),
        ...(rows[0]?.count === 8 ? [] : [`${rows[0]?.count} rows instead of the 8 from before`]),
      ]
      return together([account], { misses: [...account.misses, ...misses], figures: { said: refused[0] ?? '' } })
    },
  },
]

async function acrossDueTimes(
  { n, rig: open }: CaseContext,
  part: 'postgres' | 'temporal',
  awayMs: number,
): Promise<Outcome> {
  const rig: Rig = await open()
  const dueMs = Date.now() + 5_000 + n * paceMs()
  const promised = (await promiseMany(rig, { count: n, dueMs, name: `${part}-away` })).filter(isPromised)
  await sleep(Math.max(0, dueMs - 1_000 - Date.now()))
  rig[part].kill()
  await sleep(awayMs)
  await rig[part].start()
  const backMs = Date.now()
  const account = await settle(rig, promised)
  const lastMs = (await lastSentMs(rig)) - backMs
  const misses = [
    ...(promised.length < n ? [`${n - promised.length} were not promised`] : []),
    ...(lastMs > WITHIN_MS ? [`the last was sent ${Math.round(lastMs / 1_000)} s after it was back`] : []),
  ]
  return together([account], { misses: [...account.misses, ...misses], figures: { lastAfterBackMs: lastMs } })
}

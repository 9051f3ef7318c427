import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { isPromised, promise, promiseMany } from '../rig/promises'
import type { Promised } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { mapLimited, paceMs, sleep, until } from '../rig/wait'
import { settle } from './settled'

const JITTER_MS = 50
const GAP_MS = 40
const HOUR_MS = 3_600_000

export const races: RigCase[] = [
  {
    kind: 'rig',
    id: 'A8',
    title: 'cancel races with due, 50 ms before to 50 ms after: sent or cancelled, as the answer said',
    n: { full: 500, small: 60 },
    inSmall: true,
    limitMs: 25 * 60_000,
    run: cancelAtDue,
  },
  {
    kind: 'rig',
    id: 'A9',
    title: 'a replacement races with due, and with another replacement',
    n: { full: 200, small: 20 },
    limitMs: 25 * 60_000,
    run: replaceAtDue,
  },
  {
    kind: 'rig',
    id: 'A10',
    title: 'an operator terminates the workflows: each row says so within a minute, nothing is sent',
    n: { full: 200, small: 20 },
    limitMs: 20 * 60_000,
    async run({ n, rig: open }) {
      const rig = await open()
      const made = await promiseMany(rig, { count: n, dueMs: Date.now() + HOUR_MS, name: 'terminated' })
      const promised = made.filter(isPromised)
      const client = await rig.temporalClient()
      await until('Temporal knows them', async () => (await countOf(rig, 'SELECT 1 FROM outbox')) === 0)
      await mapLimited(n, 8, (number) =>
        client.workflow.getHandle(`scheduled-message/${promised[number]!.id}`).terminate(),
      )
      const begun = Date.now()
      const pending = () => countOf(rig, `SELECT 1 FROM scheduled_messages WHERE status = 'pending'`)
      await until('every row says so', async () => (await pending()) === 0, 180_000)
      const tookS = Math.round((Date.now() - begun) / 1_000)
      const unsaid = await countOf(rig, `SELECT 1 FROM scheduled_messages WHERE cancel_reason NOT LIKE '%operator%'`)
      const account = await settle(rig, promised, { mayEnd: ['cancelled'] })
      const misses = [
        ...(tookS > 60 ? [`the last row said so after ${tookS} s`] : []),
        ...(unsaid > 0 ? [`${unsaid} rows name another reason`] : []),
      ]
      return together([account], { misses: [...account.misses, ...misses], figures: { noticedAfterS: tookS } })
    },
  },
]

const countOf = async (rig: Rig, sql: string): Promise<number> =>
  (await rig.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM (${sql}) AS found`)).rows[0]!.count

/** Between 50 ms before and 50 ms after, evenly. */
const jitter = (number: number) => ((number * 37) % (2 * JITTER_MS + 1)) - JITTER_MS

async function cancelAtDue({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const firstMs = Date.now() + 10_000 + n * paceMs()
  const channel = (number: number) => (number % 2 === 0 ? 'web' : 'webhook')
  const dueMs = (number: number) => firstMs + number * GAP_MS
  const promised = (await promiseMany(rig, { count: n, dueMs, name: 'raced', channel })).filter(isPromised)
  const answers = await Promise.all(
    promised.map(async (made, number) => {
      await sleep(Math.max(0, made.dueMs + jitter(number) - Date.now()))
      const { data } = await rig.call<{ cancelled: boolean }>('DELETE', `/api/v1/scheduled-messages/${made.id}`, {
        key: rig.bot.key,
        timeoutMs: 120_000,
      })
      return data?.cancelled
    }),
  )
  const account = await settle(rig, promised, { mayEnd: ['sent', 'cancelled'] })
  const { rows } = await rig.pool.query<{ id: string; status: string }>('SELECT id, status FROM scheduled_messages')
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
  // A door that could not answer has said nothing, which is neither.
  const answered = promised.filter((_each, number) => answers[number] !== undefined)
  const untrue = promised.filter(({ id }, number) => answers[number] === (statusOf.get(id) !== 'cancelled'))
  const arrived = new Set((await rig.receivers.entries()).map(({ text }) => text))
  const both = promised.filter(({ id, text }) => statusOf.get(id) === 'cancelled' && arrived.has(text))
  const misses = [
    ...(promised.length < n ? [`${n - promised.length} were not promised`] : []),
    ...(answered.length < promised.length ? [`${promised.length - answered.length} cancels were not answered`] : []),
    ...(untrue.length > 0 ? [`${untrue.length} answers were not true, such as for ${untrue[0]!.id}`] : []),
    ...(both.length > 0 ? [`${both.length} were cancelled and arrived`] : []),
  ]
  const cancelled = answers.filter((answer) => answer === true).length
  return together([account], { misses: [...account.misses, ...misses], figures: { cancelled, sent: n - cancelled } })
}

async function replaceAtDue({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const named: string[] = []
  const replace = async (person: number, text: string) => {
    const body = {
      ...{ bot_uuid: rig.bot.uuid, channel: 'webhook', launcher_type: 'person', launcher_id: String(person) },
      ...{ send_at: new Date(Date.now() + HOUR_MS).toISOString(), message_text: text, replace_existing: true },
    }
    const answer = await rig.call<{ cancelled_task_ids: string[] }>('POST', '/api/v1/scheduled-messages', {
      key: rig.bot.key,
      body,
      timeoutMs: 120_000,
    })
    named.push(...(answer.data?.cancelled_task_ids ?? []))
  }
  const firstMs = Date.now() + 10_000 + n * paceMs()
  const made = await mapLimited(n, 8, (number) =>
    promise(rig, {
      ...{ channel: 'webhook', person: 5_000 + number, dueMs: firstMs + number * GAP_MS },
      text: `${rig.canary} replaced ${number}`,
    }),
  )
  const promised = made.filter(isPromised)
  // Every second pair races with due, the others race with each other well before it.
  await Promise.all(
    promised.map(async ({ dueMs }: Promised, number) => {
      const at = number % 2 === 0 ? dueMs + jitter(number) : firstMs - 2_000
      await sleep(Math.max(0, at - Date.now()))
      const twice = number % 2 === 0 ? [0] : [0, 1]
      await Promise.all(twice.map((each) => replace(5_000 + number, `${rig.canary} replacing-${each} ${number}`)))
    }),
  )
  const cancelled = await rig.pool.query<{ id: string }>(`SELECT id FROM scheduled_messages WHERE status = 'cancelled'`)
  const two = await countOf(
    rig,
    `SELECT session_id FROM scheduled_messages WHERE status = 'pending' GROUP BY session_id HAVING count(*) > 1`,
  )
  const really = cancelled.rows.map(({ id }) => id).toSorted()
  const account = await settle(rig, promised, { mayEnd: ['sent', 'cancelled'], limitMs: 20_000 })
  const misses = [
    ...(JSON.stringify(named.toSorted()) === JSON.stringify(really)
      ? []
      : [`${named.length} were named as cancelled, ${really.length} are`]),
    ...(two > 0 ? [`${two} sessions have two pending messages`] : []),
  ]
  return together([account], { misses: [...account.misses, ...misses], figures: { cancelled: really.length } })
}

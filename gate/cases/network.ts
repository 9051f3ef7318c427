import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { wordsOf } from '../checker/ledger'
import { isPromised, promise, promiseMany } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { mapLimited, paceMs, sleep, until } from '../rig/wait'
import { settle } from './settled'

export const network: RigCase[] = [
  {
    kind: 'rig',
    id: 'J4',
    title: 'connections to PostgreSQL go silent for ten minutes, new ones too',
    n: { full: 200, small: 40 },
    limitMs: 40 * 60_000,
    run: silence,
  },
  {
    kind: 'rig',
    id: 'J6',
    title: 'a platform takes the message and the line is cut: repeated once, and flagged',
    n: { full: 100, small: 10 },
    inSmall: true,
    limitMs: 30 * 60_000,
    run: cutAnswers,
  },
  {
    kind: 'rig',
    id: 'J5',
    title: 'many messages due together to one Telegram chat, one OneBot account, one slow webhook',
    n: { full: 13_100, small: 131 },
    limitMs: 95 * 60_000,
    run: crowds,
  },
]

async function silence({ n, isSmall, rig: open, say }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const awayMs = isSmall ? 20_000 : 600_000
  const dueMs = Date.now() + n * paceMs() + 10_000
  const promised = (await promiseMany(rig, { count: n, dueMs, name: 'silenced' })).filter(isPromised)
  rig.proxies.postgres.blackHole(true)
  say('silent')
  await sleep(awayMs)
  rig.proxies.postgres.pass()
  const backMs = Date.now()
  const works = async () => {
    const wish = {
      channel: 'web',
      person: 7,
      dueMs: Date.now() + 3_600_000,
      text: `${rig.canary} afterwards 1`,
    } as const
    return (await promise(rig, wish)) !== undefined
  }
  await until('a promise can be made again', works, 240_000, 1_000)
  const createsS = (Date.now() - backMs) / 1_000
  const account = await settle(rig, promised, { limitMs: 10_000 })
  await rig.pool.query('SELECT 1')
  const misses = createsS > 60 ? [`creating worked again after ${Math.round(createsS)} s`] : []
  return together([account], {
    misses: [...account.misses, ...misses],
    figures: { createsAfterS: Math.round(createsS) },
  })
}

async function cutAnswers({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  for (const channel of ['telegram', 'onebot'] as const)
    await rig.receivers.behave(channel, { kind: 'cut', first: true })
  const channel = (number: number) => (number % 2 === 0 ? 'telegram' : 'onebot')
  const dueMs = Date.now() + 5_000 + n * paceMs()
  const made = await promiseMany(rig, { count: 2 * n, dueMs, name: 'cut', channel })
  const promised = made.filter(isPromised)
  const account = await settle(rig, promised, { limitMs: 20 * 60_000 })
  const arrived = new Map<string, number>()
  for (const { text } of await rig.receivers.entries()) {
    const words = wordsOf(text)
    arrived.set(words, (arrived.get(words) ?? 0) + 1)
  }
  const { rows } = await rig.pool.query<{ text: string }>(
    'SELECT message_text AS text FROM scheduled_messages WHERE possible_duplicate',
  )
  const flagged = new Set(rows.map(({ text }) => text))
  const wrong = promised.filter(({ text }) => arrived.get(text) !== 2 || !flagged.has(text))
  const misses =
    wrong.length > 0 ? [`${wrong.length} were not repeated once and flagged, such as ${wrong[0]!.text}`] : []
  return together([account], { misses: [...account.misses, ...misses], figures: { flagged: flagged.size } })
}

/** Shares of the case: a group of Telegram takes 20 a minute, OneBot one a second, the webhook answers after 5 s. */
async function crowds({ n, rig: open, say }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const shares = [
    { channel: 'telegram', count: Math.round((n * paceMs()) / 13_100) },
    { channel: 'onebot', count: Math.round((n * 3_000) / 13_100) },
    { channel: 'webhook', count: Math.round((n * 10_000) / 13_100) },
  ] as const
  await rig.receivers.behave('webhook', { kind: 'delay', ms: 5_000 })
  const dueMs = Date.now() + 20_000 + n * paceMs()
  const promised = []
  for (const { channel, count } of shares) {
    const people = channel === 'telegram' ? 2 : Math.ceil(count / 50)
    const made = await mapLimited(count, 8, (number) =>
      promise(rig, {
        channel,
        person: 2_000 + (number % people),
        dueMs: dueMs + number,
        text: `${rig.canary} ${channel} ${number}`,
      }),
    )
    promised.push(...made.filter(isPromised))
  }
  say(`${promised.length} are promised`)
  const account = await settle(rig, promised, { limitMs: 80 * 60_000 })
  const misses = [
    ...account.misses,
    ...(await disorder(
      rig,
      shares.map(({ channel }) => channel),
    )),
  ]
  const { rows } = await rig.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM scheduled_messages WHERE possible_duplicate',
  )
  if (rows[0]!.count > 0) misses.push(`${rows[0]!.count} are flagged although nothing was cut`)
  return together([account], { lateP99Ms: null, misses, figures: { promised: promised.length } })
}

/** Messages of one person that arrived in another order than they were due. */
async function disorder(rig: Rig, channels: readonly string[]): Promise<string[]> {
  const last = new Map<string, number>()
  const wrong: string[] = []
  for (const { channel, to, text } of await rig.receivers.entries()) {
    if (!channels.includes(channel)) continue
    const number = Number(/ (\d+)$/.exec(wordsOf(text))?.[1])
    const place = `${channel} ${to}`
    if ((last.get(place) ?? -1) > number) wrong.push(`${place}: ${number} came after ${last.get(place)}`)
    last.set(place, number)
  }
  return wrong.length > 0 ? [`${wrong.length} out of order, such as ${wrong[0]}`] : []
}

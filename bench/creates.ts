import { performance } from 'node:perf_hooks'
import PgBoss from 'pg-boss'
import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../src/conversation/session'
import type { Product as Parts } from '../src/build/product'
import type { ScheduledMessages } from '../src/reminders/scheduled-messages'
import { createScheduledMessages } from '../src/reminders/scheduled-messages'
import { concurrently } from './support/concurrently'
import type { Timed } from './support/concurrently'
import { openProduct, openSessions } from './support/product'
import type { Closings } from './support/run-bench'
import { print, runBench, say } from './support/run-bench'
import type { Services } from './support/services'
import { openPool, POOL_SIZE, startServices } from './support/services'
import { medianOf, percentile } from './support/statistics'
import { formatTable, tenths, times, whole } from './support/table'

/** npm run bench creates [count] [rounds]: how fast promises are written down, beside a bare insert and pg-boss. */
const CONCURRENT = 50
const PER_SESSION = 5
const WARM_UP = 200
const TEXT = '该喝水了 — time to drink some water, and to stand up for a minute.'
const DRAIN_WITHIN_MS = 120_000

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)
/** Programs and most models give an instant, people a phrase that has to be understood first. */
const INSTANTS = [inDays(1).toISOString()]
const PHRASES = ['in 20 hours', '明天早上九点', 'tomorrow at half past eight', '后天下午三点']

type Create = (index: number) => Promise<unknown>
interface Contender {
  name: string
  create: Create
  /** What is still to be done when the last create has answered; answers how long it took, in milliseconds. */
  settle?(): Promise<number>
}

runBench(async (closings, [count = 2_000, rounds = 3]) => {
  const services = await startServices(closings)
  const product = await openProduct(services, closings)
  const sessions = await openSessions(product, Math.ceil((count + WARM_UP) / PER_SESSION))
  const held = withoutStarts(product)
  const settle = () => drain(product)
  const contenders: Contender[] = [
    { name: 'raw pg insert of the row', create: await rawInsert(services, closings, sessions) },
    { name: 'pg-boss send', create: await pgBossSend(services, closings) },
    { name: 'Punctual, an instant', create: ours(held, sessions, INSTANTS) },
    { name: 'Punctual, a phrase', create: ours(held, sessions, PHRASES) },
    { name: 'Punctual, while Temporal starts', create: ours(product.scheduledMessages, sessions, INSTANTS), settle },
  ]
  print(
    `${whole(count)} creates, ${CONCURRENT} at a time, ${POOL_SIZE} connections each; medians of ${rounds} rounds.\n`,
  )
  const results = contenders.map(() => [] as Awaited<ReturnType<typeof measure>>[])
  for (const contender of contenders) await measure(contender, WARM_UP)
  await forget(services)
  for (let round = 1; round <= rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      say(`round ${round}: ${contender.name}`)
      results[index]!.push(await measure(contender, count))
      await forget(services)
    }
  }
  report(contenders, results.map(medianOf))
})

async function measure({ create, settle }: Contender, count: number) {
  const { perSecond, latencies }: Timed = await concurrently(count, CONCURRENT, create)
  const drainMs = (await settle?.()) ?? Number.NaN
  return { perSecond, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), drainMs }
}

/** Everybody begins with empty tables: the hundred pending of a session are never met, and nobody's index is larger. */
async function forget({ pool }: Services): Promise<void> {
  await pool.query('TRUNCATE scheduled_messages, session_events, outbox, raw_messages, pgboss.job')
  await pool.query('CHECKPOINT')
}

async function rawInsert({ databaseUrl, pool: admin }: Services, closings: Closings, sessions: Session[]) {
  await admin.query('CREATE TABLE raw_messages (LIKE scheduled_messages INCLUDING ALL)')
  const pool = openPool(databaseUrl, closings)
  return (index: number) => {
    const session = sessions[index % sessions.length]!
    return pool.query(
      `INSERT INTO raw_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone, status,
         replace_existing) VALUES ($1, $2, $3, 'web', 'private', $4, $5, $6, 'pending', false)`,
      [uuidv7(), session.sessionKey, session.botUuid, TEXT, inDays(1), session.timezone],
    )
  }
}

async function pgBossSend({ databaseUrl }: Services, closings: Closings): Promise<Create> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: POOL_SIZE, supervise: false, schedule: false })
  boss.on('error', (error) => say(error.message))
  await boss.start()
  closings.add(() => boss.stop({ graceful: false, wait: true }))
  await boss.createQueue('messages')
  return (index) =>
    boss.send('messages', { sessionKey: `session-${index}`, text: TEXT }, { startAfter: inDays(1), retryLimit: 5 })
}

function ours(scheduledMessages: ScheduledMessages, sessions: Session[], times: readonly string[]): Create {
  return async (index) => {
    const request = { sendAt: times[index % times.length]!, messageText: TEXT, replaceExisting: false }
    const session = sessions[index % sessions.length]!
    const outcome = await scheduledMessages.schedule(session, { ...request, language: 'en' })
    if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.detail ?? outcome.hint}`)
  }
}

/** The same function; only nobody tells Temporal, as when it has its own machine and takes none of these cores. */
function withoutStarts({ stores, dispatcher, logger }: Parts): ScheduledMessages {
  const { scheduledMessages: store, clock } = stores
  return createScheduledMessages({
    store,
    clock,
    logger,
    dispatcher: { ...dispatcher, kick: () => undefined },
    crashPoint: () => undefined,
    askZone: stores.zones.askOnce,
  })
}

async function drain({ dispatcher, stores }: Parts): Promise<number> {
  const begun = performance.now()
  while ((await stores.outbox.size()) > 0) {
    if (performance.now() - begun > DRAIN_WITHIN_MS) throw new Error('Temporal did not take the starts in two minutes')
    await dispatcher.drain()
  }
  return performance.now() - begun
}

function report(contenders: Contender[], results: Awaited<ReturnType<typeof measure>>[]): void {
  const raw = results[0]!.perSecond
  const boss = results[1]!.perSecond
  const rows = results.map(({ perSecond, p50, p99, drainMs }, index) => [
    contenders[index]!.name,
    ...[whole(perSecond), tenths(p50), tenths(p99), times(perSecond / raw), times(perSecond / boss)],
    Number.isNaN(drainMs) ? '' : `${tenths(drainMs / 1_000)} s`,
  ])
  print(formatTable(['contender', 'creates/s', 'p50 ms', 'p99 ms', 'to raw', 'to pg-boss', 'starts told after'], rows))
}

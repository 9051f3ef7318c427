import { performance } from 'node:perf_hooks'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Product } from '../src/build/product'
import type { Session } from '../src/conversation/session'
import { openProduct, openSessions } from './support/product'
import { print, runBench, say } from './support/run-bench'
import { startServices } from './support/services'
import { percentile } from './support/statistics'
import { formatTable, times, whole } from './support/table'

/**
 * npm run bench volume [rows] [tries]: what the product does all day, on an installation without a past and on one with so
 * many rows in every table that grows. The ratio of the two says what the past costs.
 */
const BATCH = 100_000
const SESSIONS = 1_000

/** Rows `n` of $1 … $2 that are over, in every table that grows. */
const PAST: Record<string, string> = {
  message_history: `(bot_uuid, launcher_type, launcher_id, sender_id, message_role, message_content, message_chain, session_key,
      source_kind, created_at)
    SELECT 'old', 'person', 'p' || n % ${SESSIONS}, 's', 'user', 'hi', '[]', 'old:' || n % ${SESSIONS}, 'chat', at`,
  session_events: `(session_key, seq, name, data, created_at) SELECT 'old:' || n % ${SESSIONS}, n, 'message', '{}', now()`,
  turns: `(id, session_key, origin, status, holder, lease_until, input, created_at)
    SELECT gen_random_uuid(), 'old:' || n % ${SESSIONS}, 'user', 'succeeded', 'h', at, '{}', at`,
  tool_calls: `(turn_id, call_id, session_key, round, name, arguments, started_at)
    SELECT gen_random_uuid(), 'c' || n, 'old:' || n % ${SESSIONS}, 1, 'n', '{}', at`,
  scheduled_messages: `(id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone, status,
      replace_existing, created_at_ts, updated_at_ts)
    SELECT gen_random_uuid(), 'old:' || n % ${SESSIONS}, 'old', 'web', 'private', 'hi', at, 'UTC', 'cancelled', false, at, at`,
  deliveries: `(id, message_id, session_key, bot_uuid, channel, state, created_at)
    SELECT gen_random_uuid(), n, 'old:' || n % ${SESSIONS}, 'old', 'webhook', 'sent', at`,
  delivery_attempts: `(source_ref, number, channel, outcome, started_at)
    SELECT 'delivery:' || n, 1, 'webhook', 'accepted', at`,
  inbound_messages: `(id, bot_uuid, channel, external_id, session_key, sender_id, content, message_chain, state, received_at)
    SELECT gen_random_uuid(), 'old', 'webhook', n::text, 'old:' || n % ${SESSIONS}, 'x', '', '[]', 'answered', at`,
  runs: `(id, session_key, bot_uuid, origin, status, language, timezone, created_at)
    SELECT gen_random_uuid(), 'old:' || n % ${SESSIONS}, 'old', 'api', 'succeeded', 'en', 'UTC', at`,
  model_usage: `(bot_uuid, purpose, model, prompt_tokens, completion_tokens, cached_tokens, estimated, created_at)
    SELECT 'old', 'turn', 'm', 1, 1, 0, false, at`,
}

runBench(async (closings, [rows = 1_000_000, tries = 200]) => {
  const services = await startServices(closings)
  const product = await openProduct(services, closings)
  const sessions = await openSessions(product, tries)
  const work = workOf(product, sessions)
  const before = await measureAll(work, sessions)
  await fill(services.pool, rows)
  const after = await measureAll(work, sessions)
  print(
    `${whole(rows)} rows of the past in each of ${Object.keys(PAST).length} tables; ${tries} tries, milliseconds.\n`,
  )
  const table = work.map(({ name }, index) => {
    const [empty, full] = [before[index]!, after[index]!]
    return [name, ...[empty.p50, full.p50, empty.p95, full.p95].map((ms) => ms.toFixed(2)), times(full.p50 / empty.p50)]
  })
  print(formatTable(['', 'p50 empty', 'p50 full', 'p95 empty', 'p95 full', 'ratio of p50'], table))
})

interface Work {
  name: string
  /** Done often enough for a figure; a whole pass is done less often. */
  share: number
  run(session: Session): Promise<unknown>
}

function workOf({ stores, scheduledMessages, reconcile }: Product, sessions: Session[]): Work[] {
  const keys = sessions.map(({ sessionKey }) => sessionKey)
  const of = ({ sessionKey }: Session) => ({ bots: 'all' as const, sessionKey, limit: 50 })
  return [
    {
      name: 'promise a message',
      share: 1,
      run: (session) =>
        scheduledMessages.schedule(session, {
          sendAt: '2 hours',
          messageText: 'hello',
          replaceExisting: true,
          language: 'en',
        }),
    },
    { name: 'sweep what is due', share: 1, run: () => stores.scheduledMessages.sweepDue(100) },
    { name: 'what Temporal is to be told', share: 1, run: () => stores.outbox.take(1) },
    {
      name: 'begin and close a turn',
      share: 1,
      async run({ sessionKey }) {
        const id = uuidv7()
        const input = { message: 'hello', senderId: 'x', metadata: {} }
        await stores.turns.enqueue({ id, sessionKey, origin: 'user', holder: 'bench', input })
        await stores.turns.close(sessionKey, id, 'stopped')
      },
    },
    { name: 'newest messages', share: 1, run: ({ sessionKey }) => stores.messages.latest(sessionKey, { limit: 40 }) },
    { name: 'promises of a session', share: 1, run: (session) => stores.promises.list(of(session)) },
    { name: 'deliveries of a session', share: 1, run: (session) => stores.deliveries.list(of(session)) },
    { name: 'events since', share: 1, run: () => stores.events.after(keys[0]!, 0, 50) },
    { name: 'a pass of the reconciler', share: 0.05, run: () => reconcile() },
  ]
}

async function measureAll(work: Work[], sessions: Session[]): Promise<{ p50: number; p95: number }[]> {
  const figures: { p50: number; p95: number }[] = []
  for (const { name, share, run } of work) {
    say(name)
    figures.push(await measure(run, Math.max(3, Math.ceil(sessions.length * share))))
  }
  return figures

  async function measure(run: Work['run'], count: number) {
    const sample: number[] = []
    for (let tried = 0; tried < count; tried++) {
      const session = sessions[tried % sessions.length]!
      const began = performance.now()
      await run(session)
      sample.push(performance.now() - began)
    }
    return { p50: percentile(sample, 0.5), p95: percentile(sample, 0.95) }
  }
}

async function fill(pool: Pool, rows: number): Promise<void> {
  for (const [table, columns] of Object.entries(PAST)) {
    say(`${whole(rows)} rows of ${table}`)
    for (let from = 1; from <= rows; from += BATCH) {
      await pool.query(
        `INSERT INTO ${table} ${columns} FROM generate_series($1::int, $2::int) AS n,
           LATERAL (SELECT now() - make_interval(mins => n % 40000) AS at) AS past`,
        [from, Math.min(rows, from + BATCH - 1)],
      )
    }
  }
  await pool.query('VACUUM ANALYZE')
}

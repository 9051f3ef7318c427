import { createDatabase } from '../../src/engine/database'
import type { Database } from '../../src/engine/database'
import { startNextDelivery } from '../../src/engine/outgoing-line'
import { createMessageStore } from '../../src/conversation/sql/message-store'
import { createStores } from '../../src/build/storage'
import { sweepDueMessages } from '../../src/reminders/sql/sweep-due'
import { firstOpenTurn } from '../../src/conversation/sql/start-turn'
import { createUsageStore } from '../../src/access/usage-store'
import { atSize } from '../support/at-size'
import { createTestDatabase } from '../support/services'

const ROWS = atSize(1_000_000, 20_000)

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  database = createDatabase(made.url, 2)
  await fill()
}, 900_000)
afterAll(async () => {
  await database.close()
  await drop()
})

/** Many sessions, almost everything of them over: the state of an installation that has been used for a year. */
async function fill(): Promise<void> {
  const many = `generate_series(1, ${ROWS}) n`
  const statements = [
    `INSERT INTO sessions (session_key, bot_uuid, channel, launcher_type, launcher_id, timezone)
     SELECT 's' || n, 'b', 'web', 'person', 'p' || n, 'UTC' FROM ${many}`,
    `INSERT INTO message_history (bot_uuid, launcher_type, launcher_id, sender_id, message_role, message_content,
       message_chain, session_key, source_kind)
     SELECT 'b', 'person', 'p' || n % 500, 's', 'user', 'hi', '[]', 's' || n % 500, 'chat' FROM ${many}`,
    `INSERT INTO scheduled_messages (id, session_id, bot_uuid, channel, chat_type, message_text, send_at_ts, timezone, status,
       replace_existing, created_at_ts, updated_at_ts)
     SELECT gen_random_uuid(), 's' || n % 500, 'b', 'web', 'private', 'hi', now() + make_interval(mins => n - 200), 'UTC',
       CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'cancelled' END, false, now(), now() FROM ${many}`,
    `INSERT INTO outbox (kind, ref_id, next_attempt_at)
     SELECT 'start_run', n::text, now() + make_interval(secs => n - 100) FROM ${many}`,
    `INSERT INTO turns (id, session_key, origin, status, holder, lease_until, input, created_at)
     SELECT gen_random_uuid(), 's' || n % 500, 'user', CASE WHEN n % 1000 = 0 THEN 'queued' ELSE 'succeeded' END, 'h',
       now() + interval '1 minute', '{}', now() FROM ${many}`,
    `INSERT INTO deliveries (id, message_id, session_key, bot_uuid, channel, state)
     SELECT gen_random_uuid(), id, session_key, 'b', 'webhook', CASE WHEN id % 50 = 0 THEN 'pending' ELSE 'sent' END
     FROM message_history`,
    `INSERT INTO runs (id, session_key, bot_uuid, origin, status, language, timezone)
     SELECT gen_random_uuid(), 's' || n % 500, 'b', 'api', 'succeeded', 'en', 'UTC' FROM ${many}`,
    `INSERT INTO usage_days (subject, day, tokens) SELECT 'person:b:' || n, current_date, 1 FROM ${many}`,
    `INSERT INTO model_usage (bot_uuid, purpose, model, prompt_tokens, completion_tokens, cached_tokens, estimated, created_at)
     SELECT 'b' || n % 50, 'turn', 'm', 1, 1, 0, false, now() - make_interval(mins => n * 25) FROM ${many}`,
    'ANALYZE',
  ]
  for (const statement of statements) await database.pool.query(statement)
}

/** The plans of what a piece of the product asks: it gets no rows, and PostgreSQL runs nothing. */
async function plansOf(ask: (asked: Database) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  const query = async (sql: string, values: unknown[] = []) => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values)
    plans.push(...rows.map((row) => row['QUERY PLAN']))
    return { rows: [], rowCount: 0 }
  }
  const pool = { query } as unknown as Database['pool']
  await ask({ ...database, pool })
  return plans.join('\n')
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

test.each<[string, (asked: Database) => Promise<unknown>, RegExp, string[]]>([
  ['what is due', ({ pool }) => sweepDueMessages(pool, 100), /scheduled_messages_due/, ['scheduled_messages']],
  [
    'what Temporal is to be told',
    (asked) => createStores(asked).outbox.take(100),
    /outbox_next_attempt_at_idx|outbox_pkey/,
    ['outbox'],
  ],
  [
    'the newest messages',
    (asked) => createMessageStore(asked).latest('s7', { limit: 40 }),
    /message_history_session_key_id_idx/,
    ['message_history'],
  ],
  ['whose turn it is', ({ pool }) => firstOpenTurn(pool, 's7', NOBODY), /turns_\w+/, ['turns']],
  ['the next delivery', ({ pool }) => startNextDelivery(pool, 's7'), /deliveries_pending_by_session/, ['deliveries']],
  [
    'the promises of a session',
    (asked) => createStores(asked).promises.list({ bots: 'all', sessionKey: 's7', limit: 50 }),
    /scheduled_messages_session_id/,
    ['scheduled_messages', 'runs', 'deliveries'],
  ],
  [
    'how much is still promised',
    (asked) => createStores(asked).promises.countPending(),
    /scheduled_messages_(due|pending)[\s\S]*runs_open/,
    ['scheduled_messages', 'runs'],
  ],
  [
    'what a person may still use',
    (asked) => createUsageStore(asked).allowanceOf('b', '7'),
    /usage_days_pkey/,
    ['usage_days'],
  ],
  [
    'what a bot cost lately',
    (asked) => createUsageStore(asked).summarise({ bots: 'all', botUuid: 'b7', days: 7 }),
    /model_usage_\w+/,
    ['model_usage'],
  ],
])('%s is found by an index among many rows', async (_, ask, index, tables) => {
  const plan = await plansOf(ask)
  expect(plan).toMatch(index)
  for (const table of tables) expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`))
})

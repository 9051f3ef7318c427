import { mkdtemp, readdir, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../../src/conversation/session'
import { KINDS } from '../../src/build/kinds'
import { forgottenTables } from '../../src/conversation/sql/forget'
import { WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { startScriptedModel, says } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'

const FORGOTTEN_TABLES = forgottenTables(KINDS.flatMap(({ words }) => words))

const CANARY = 'kanarienvogel'

/** Tables in which nobody's words are kept, and why. */
const WORDLESS: Record<string, string> = {
  users: 'who signs in',
  sign_in_tokens: 'hashes',
  api_keys: 'hashes, and names that operators give',
  bots: 'names that operators give',
  bot_channels: 'settings and secrets of a bot; go with it',
  pipelines: 'what operators write',
  conversations: 'ids and times',
  push_budgets: 'ids and figures',
  usage_days: 'ids and figures',
  moved_chats: 'ids of chats; go with their bot',
  idempotency_keys: 'hashes, and answers without words; a day old at most',
  outbox: 'ids',
  reconciler_marks: 'figures',
  plugin_uses: 'ids and times',
  task_delete_questions: 'ids',
  task_reminders: 'ids',
  _prisma_migrations: 'versions of the schema',
}

let product: Product
let model: ScriptedModel
let dataDir: string
beforeAll(async () => {
  model = await startScriptedModel(() => says('noted'))
  dataDir = await mkdtemp(path.join(tmpdir(), 'punctual-forgetting-'))
  const spoken = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test' }
  product = await buildProduct({ ...WITHOUT_TEMPORAL, ...spoken, PUNCTUAL_DATA_DIR: dataDir })
})
afterAll(async () => {
  await product.close()
  await model.close()
})

interface Column {
  table: string
  name: string
  type: string
  most: number | null
}

async function columns(): Promise<Column[]> {
  const { rows } = await product.parts.database.pool.query<Column>(
    `SELECT c.table_name AS table, c.column_name AS name, c.data_type AS type, c.character_maximum_length AS most
     FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position`,
  )
  return rows
}

/** What rows of that name must say to be possible and to be over; all other text says the canary. */
function known(session: Session, ids: { run: string; turn: string; message: string; automation: string }) {
  const { sessionKey, botUuid, launcherType, launcherId, channel } = session
  const everywhere: Record<string, unknown> = {
    ...{ session_key: sessionKey, session_id: sessionKey, bot_uuid: botUuid, launcher_type: launcherType },
    ...{ launcher_id: launcherId, channel, timezone: 'UTC', language: 'en', run_id: ids.run, turn_id: ids.turn },
    ...{ automation_id: ids.automation, pipeline_uuid: null, source_ref: null, recurrence: '{}', origin: 'user' },
  }
  const own: Record<string, Record<string, unknown>> = {
    turns: { id: ids.turn, status: 'succeeded' },
    runs: { id: ids.run, status: 'succeeded' },
    run_steps: { status: 'reported', step_index: 0 },
    run_events: { type: 'completed' },
    message_history: { message_role: 'user', source_kind: 'chat' },
    scheduled_messages: {
      id: ids.message,
      status: 'failed',
      chat_type: 'private',
      source_kind: 'scheduled_send',
      sent_message_id: null,
    },
    delivery_attempts: { source_ref: `scheduled_message:${ids.message}`, outcome: 'failed' },
    deliveries: { state: 'failed' },
    inbound_messages: { state: 'failed' },
    automations: { id: ids.automation, kind: 'agent_turn', state: 'ended', legacy: null },
    automation_runs: { state: 'failed' },
    tasks: {
      priority: 'low',
      status: 'pending',
      completed_at: null,
      start_time: null,
      end_time: null,
      time_segment: 'morning',
    },
    session_events: { name: 'message' },
  }
  return (table: string, column: string) => {
    const all = { ...everywhere, ...own[table] }
    return column in all ? { value: all[column] } : undefined
  }
}

/** Columns that hold names given by the program or by operators, whatever the table. */
const WORDLESS_COLUMNS = /(_id|_reason|_by|^holder|^reply_to|^ai_name|^prompt_ref)$/

let counter = 1_000_000
function valueFor({ name, type, most }: Column): unknown {
  counter++
  if (name === 'id' && type !== 'uuid') return type === 'character varying' ? `n${counter}` : counter
  if (type === 'uuid') return uuidv7()
  if (WORDLESS_COLUMNS.test(name) && type !== 'integer') return type === 'jsonb' ? '{}' : `n${counter}`
  if (type === 'jsonb') return JSON.stringify({ said: CANARY })
  if (type === 'bytea') return Buffer.from(CANARY)
  if (type === 'ARRAY') return name === 'depends_on' ? [] : [CANARY]
  if (type === 'text') return CANARY
  if (type === 'character varying') return most! >= 20 ? `${CANARY}${counter}`.slice(0, most!) : 'x'
  if (type === 'boolean') return false
  if (type === 'date' || type.startsWith('timestamp')) return new Date()
  return counter
}

/** One row in every table that holds words, every text of it the canary. */
async function fill(session: Session): Promise<void> {
  const ids = { run: uuidv7(), turn: uuidv7(), message: uuidv7(), automation: uuidv7() }
  const fixed = known(session, ids)
  const all = await columns()
  const { pool } = product.parts.database
  await pool.query('UPDATE sessions SET title = $2 WHERE session_key = $1', [session.sessionKey, CANARY])
  for (const table of FORGOTTEN_TABLES.filter((name) => name !== 'sessions')) {
    const of = all.filter((column) => column.table === table)
    const values = of.map((column) => {
      const given = fixed(table, column.name)
      return given ? given.value : valueFor(column)
    })
    const names = of.map(({ name }) => `"${name}"`).join(', ')
    const places = of.map((_, index) => `$${index + 1}`).join(', ')
    await pool.query(`INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE VALUES (${places})`, values)
  }
}

/** Which tables still say it anywhere, in any form. */
async function hits(): Promise<string[]> {
  const tables = [...new Set((await columns()).map(({ table }) => table))]
  const found: string[] = []
  for (const table of tables) {
    const { rows } = await product.parts.database.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} t WHERE t::text LIKE '%' || $1::text || '%' OR t::text LIKE '%' || $2::text || '%'`,
      [CANARY, Buffer.from(CANARY).toString('hex')],
    )
    if (rows[0]!.n > 0) found.push(table)
  }
  return found
}

async function keepOnDisk(session: Session): Promise<void> {
  await mkdir(path.join(dataDir, 'unwritten'), { recursive: true })
  const answer = { sessionKey: session.sessionKey, turn: { turnId: uuidv7(), fence: 1 }, result: { said: CANARY } }
  await writeFile(path.join(dataDir, 'unwritten', `${answer.turn.turnId}.json`), JSON.stringify(answer))
}

async function expectForgotten(): Promise<void> {
  expect(await hits()).toEqual([])
  expect(await readdir(path.join(dataDir, 'unwritten'))).toEqual([])
}

test('every table either holds words and is forgotten, or is known to hold none', async () => {
  const tables = new Set((await columns()).map(({ table }) => table))
  const accounted = new Set([...FORGOTTEN_TABLES, ...Object.keys(WORDLESS)])
  expect([...tables].filter((table) => !accounted.has(table))).toEqual([])
  expect(Object.keys(WORDLESS).filter((table) => FORGOTTEN_TABLES.includes(table))).toEqual([])
})

test('a forgotten history is in no table, in no file and in no later prompt', async () => {
  const session = await product.session('mia')
  await fill(session)
  await keepOnDisk(session)
  expect(await hits()).toEqual([...FORGOTTEN_TABLES].sort())
  const { botUuid, launcherType, launcherId } = session
  await product.parts.history.forget(ADMIN, { botUuid, launcherType, launcherId }, { cancelPromises: true })
  await expectForgotten()
  await product.parts.chat.send(session, { message: 'What did I say?', senderId: 'mia' })
  expect(JSON.stringify(model.requests.at(-1)!.body)).not.toContain(CANARY)
})

test('what is still promised or meant to be done stays with a history unless it is cancelled', async () => {
  const session = await product.session('leo')
  await fill(session)
  const { pool } = product.parts.database
  await pool.query(`UPDATE scheduled_messages SET status = 'pending' WHERE session_id = $1`, [session.sessionKey])
  const { botUuid, launcherType, launcherId } = session
  const key = { botUuid, launcherType, launcherId }
  await product.parts.history.forget(ADMIN, key, { cancelPromises: false })
  expect(await hits()).toEqual(expect.arrayContaining(['scheduled_messages', 'tasks']))
  expect(await hits()).not.toEqual(expect.arrayContaining(['message_history']))
  await product.parts.history.forget(ADMIN, key, { cancelPromises: true })
  await expectForgotten()
})

test('a deleted session is in no table and in no file', async () => {
  const session = await product.session('ida')
  await fill(session)
  await keepOnDisk(session)
  await product.parts.sessions.delete(ADMIN, session.sessionKey, { deleteAutomations: true })
  await expectForgotten()
})

test('a run that goes on and a message not yet answered are forgotten with their session', async () => {
  const session = await product.session('ulf')
  await fill(session)
  const { pool } = product.parts.database
  await pool.query(`UPDATE runs SET status = 'running' WHERE session_key = $1`, [session.sessionKey])
  await pool.query(`UPDATE inbound_messages SET state = 'received' WHERE session_key = $1`, [session.sessionKey])
  await pool.query(`UPDATE turns SET status = 'running' WHERE session_key = $1`, [session.sessionKey])
  await product.parts.sessions.delete(ADMIN, session.sessionKey, { deleteAutomations: true })
  await expectForgotten()
  const { rows } = await pool.query(`SELECT 1 FROM inbound_messages WHERE session_key = $1 AND state = 'received'`, [
    session.sessionKey,
  ])
  expect(rows).toEqual([])
})

test('a session with a long history can be deleted', async () => {
  const session = await product.session('long')
  const { pool } = product.parts.database
  await pool.query(
    `INSERT INTO message_history (bot_uuid, launcher_type, launcher_id, sender_id, message_role, message_content,
       message_chain, session_key, source_kind)
     SELECT $1, 'person', $2, 's', 'user', n::text, '[]', $3, 'chat' FROM generate_series(1, 60000) n`,
    [session.botUuid, session.launcherId, session.sessionKey],
  )
  expect(await product.parts.sessions.delete(ADMIN, session.sessionKey, { deleteAutomations: false })).toEqual({
    deleted: true,
  })
  const { rows } = await pool.query('SELECT 1 FROM message_history WHERE session_key = $1', [session.sessionKey])
  expect(rows).toEqual([])
}, 120_000)

test.each(['its key begins anew', 'it is pruned'])(
  'what a crash left of a deletion is never read, and is gone when %s',
  async (how) => {
    const { database, sessions, chat, stores } = product.parts
    const session = await product.session(`crashed ${how}`)
    await chat.send(session, { message: CANARY, senderId: 'me' })
    await database.pool.query(
      `CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stopped'; END $$;
     CREATE TRIGGER stop_here BEFORE DELETE ON message_history FOR EACH STATEMENT EXECUTE FUNCTION stop_here()`,
    )
    const deleting = sessions.delete(ADMIN, session.sessionKey, { deleteAutomations: false })
    await expect(deleting).rejects.toThrow('stopped')
    await database.pool.query('DROP FUNCTION stop_here CASCADE')
    await expect(sessions.open(ADMIN, session.sessionKey)).rejects.toMatchObject({ code: 'not_found' })
    expect(await hits()).toContain('message_history')

    if (how === 'it is pruned') await stores.sessions.prune({ records: 90, promises: 365 }, () => undefined)
    else await product.session(session.launcherId)
    expect(await stores.messages.latest(session.sessionKey, { limit: 10 })).toEqual([])
    await expectForgotten()
  },
)

test('a deleted bot takes everything with it, its secrets too', async () => {
  const { stores, access, sessions, database } = product.parts
  await stores.bots.create({ uuid: 'doomed', name: 'Doomed' })
  for (const launcherId of ['a', 'b']) await fill(await sessions.resolve(ADMIN, { botUuid: 'doomed', launcherId }))
  await database.pool.query(`INSERT INTO bot_channels (bot_uuid, channel, secret) VALUES ('doomed', 'telegram', $1)`, [
    CANARY,
  ])
  await access.deleteBot(ADMIN, 'doomed')
  await expectForgotten()
})

import { performance } from 'node:perf_hooks'
import type { Pool } from 'pg'
import type { HistoryFilter } from '../src/conversation/history-contract'
import { openProduct } from './support/product'
import { print, runBench, say } from './support/run-bench'
import { startServices } from './support/services'
import { percentile } from './support/statistics'
import { formatTable, times, whole } from './support/table'

/** npm run bench history [rows] [tries]: what other programs ask of a long history, beside the bare SQL of each question. */
const BOT = 'bench-bot'
const CONVERSATIONS = 1_000
const BATCH = 100_000
const PERSON = { botUuid: BOT, launcherType: 'person' as const, launcherId: 'person-7' }
const PAGE: Pick<HistoryFilter, 'bots' | 'order' | 'limit' | 'offset'> = {
  bots: [BOT],
  order: 'desc',
  limit: 100,
  offset: 0,
}

interface Question {
  name: string
  ask(): Promise<unknown>
  bare: string
}

const COLUMNS = `id, bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role, message_content, message_chain,
  query_id, created_at, updated_at`
const NEWEST = 'ORDER BY created_at DESC, id DESC LIMIT 100'

runBench(async (closings, [rows = 1_000_000, tries = 100]) => {
  const services = await startServices(closings)
  const product = await openProduct(services, closings)
  await fill(services.pool, rows)
  const { history } = product.stores
  const since = new Date(Date.now() - 3_600_000)
  const deep = Math.floor(rows * 0.9)
  const { rows: middle } = await services.pool.query<{ id: number }>(
    'SELECT id FROM message_history OFFSET $1 LIMIT 1',
    [Math.floor(rows / 2)],
  )
  const beforeId = middle[0]!.id
  const questions: Question[] = [
    {
      name: 'newest 100 of a conversation',
      ask: () => history.read({ ...PAGE, ...PERSON }),
      bare: `SELECT ${COLUMNS} FROM message_history WHERE bot_uuid = '${BOT}' AND launcher_type = 'person'
        AND launcher_id = 'person-7' ${NEWEST}`,
    },
    {
      name: 'bot, since an hour ago',
      ask: () => history.read({ ...PAGE, botUuid: BOT, since }),
      bare: `SELECT ${COLUMNS} FROM message_history WHERE bot_uuid = '${BOT}' AND created_at >= '${since.toISOString()}' ${NEWEST}`,
    },
    {
      name: `offset ${whole(deep)}`,
      ask: () => history.read({ ...PAGE, botUuid: BOT, offset: deep }),
      bare: `SELECT ${COLUMNS} FROM message_history WHERE bot_uuid = '${BOT}' ${NEWEST} OFFSET ${deep}`,
    },
    {
      name: 'the same depth by before_id',
      ask: () => history.read({ ...PAGE, botUuid: BOT, beforeId }),
      bare: `SELECT ${COLUMNS} FROM message_history WHERE bot_uuid = '${BOT}' AND id < ${beforeId} ORDER BY id DESC LIMIT 100`,
    },
    {
      name: 'inactive for 24 hours',
      ask: () => history.inactive({ bots: [BOT], inactiveHours: 24, limit: 100 }),
      bare: `SELECT bot_uuid, launcher_type, launcher_id, max(created_at) AS last_message_at FROM message_history
        WHERE bot_uuid = '${BOT}' GROUP BY 1, 2, 3 HAVING max(created_at) < now() - interval '24 hours'
        ORDER BY last_message_at DESC LIMIT 100`,
    },
  ]
  print(`${whole(rows)} messages of ${whole(CONVERSATIONS)} conversations; ${tries} tries each, milliseconds.\n`)
  const table: string[][] = []
  for (const { name, ask, bare } of questions) {
    say(name)
    const ours = await measure(ask, tries)
    // The bare question may take a second where ours takes none.
    const plain = await measure(() => services.pool.query(bare), Math.min(tries, 20))
    table.push([name, ...[ours.p50, ours.p95, plain.p50].map((ms) => ms.toFixed(2)), times(ours.p50 / plain.p50)])
  }
  print(formatTable(['', 'p50', 'p95', 'bare SQL p50', 'ratio'], table))
})

async function fill(pool: Pool, rows: number): Promise<void> {
  await pool.query(`INSERT INTO bots (uuid, name) VALUES ($1, 'Bench')`, [BOT])
  for (let from = 0; from < rows; from += BATCH) {
    say(`${whole(from)} of ${whole(rows)} messages`)
    await pool.query(
      `INSERT INTO message_history (bot_uuid, pipeline_uuid, launcher_type, launcher_id, sender_id, message_role,
         message_content, message_chain, session_key, source_kind, created_at)
       SELECT $1::text, 'assistant', 'person', 'person-' || n % $4::int, 'person-' || n % $4::int,
         CASE WHEN n % 2 = 0 THEN 'user' ELSE 'assistant' END, 'message ' || n,
         jsonb_build_array(jsonb_build_object('type', 'Plain', 'text', 'message ' || n)), 'bench:' || n % $4::int, 'chat',
         now() - make_interval(secs => ($3::int - n) * 2 + (n % $4::int) * 300)
       FROM generate_series($2::int, least($2::int + ${BATCH}, $3::int) - 1) AS n`,
      [BOT, from, rows, CONVERSATIONS],
    )
  }
  await pool.query('VACUUM ANALYZE message_history')
  await pool.query('ANALYZE conversations')
}

async function measure(ask: () => Promise<unknown>, tries: number): Promise<{ p50: number; p95: number }> {
  for (let warm = 0; warm < 3; warm++) await ask()
  const sample: number[] = []
  for (let tried = 0; tried < tries; tried++) {
    const began = performance.now()
    await ask()
    sample.push(performance.now() - began)
  }
  return { p50: percentile(sample, 0.5), p95: percentile(sample, 0.95) }
}

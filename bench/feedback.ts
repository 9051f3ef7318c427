import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { startProductWorker } from '../src/build/worker'
import { readConfig } from '../src/config'
import { createProduct } from '../src/build/product'
import type { Product as Parts } from '../src/build/product'
import { ensureDatabase } from '../src/embedded/ensure-database'
import { migrateDeploy } from '../src/embedded/migrate'
import { findFreePort } from '../src/embedded/ports'
import { startPostgres } from '../src/embedded/postgres'
import { findTemporalBinary } from '../src/embedded/temporal-binary'
import { startTemporalServer } from '../src/embedded/temporal-server'
import { workflowBundle } from '../src/engine/temporal/workflow-bundle'

/**
 * npm run bench feedback: how late delayed feedback is, beside a plain setTimeout and insert at the same instants, and how
 * often a run that ends at its deadline tells a wrong story. `-- 50 100` sets the number of runs of the two parts.
 */
const [LATENESS_RUNS = 200, RACE_RUNS = 300] = process.argv.slice(2).map(Number)
const TOOL = 'clock__wait_until'
const SPACING_MS = 50
const SESSIONS = 10
const say = (line: string) => void process.stdout.write(`${line}\n`)

type Closing = () => Promise<unknown> | void

/** Services of this run alone, on a folder that is gone afterwards. PostgreSQL and Temporal write as they do in use. */
async function open(closings: Closing[]): Promise<Parts> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-bench-'))
  closings.push(() => fs.rmSync(dir, { recursive: true, force: true }))
  const password = randomBytes(12).toString('hex')
  const postgres = await startPostgres({ dir: path.join(dir, 'postgres'), port: await findFreePort(), password })
  closings.push(() => postgres.stop())
  await ensureDatabase(postgres.url('postgres'), 'punctual')
  await migrateDeploy(postgres.url('punctual'))
  const binary = await findTemporalBinary({ cacheDir: process.env['PUNCTUAL_CACHE_DIR'], env: process.env, say })
  const place = { dir: path.join(dir, 'temporal'), port: await findFreePort(), uiPort: undefined }
  const temporal = await startTemporalServer({ binary, ...place, namespaces: ['default'] })
  closings.push(() => temporal.stop())
  const config = readConfig({
    DATABASE_URL: postgres.url('punctual'),
    TEMPORAL_ADDRESS: temporal.address,
    PUNCTUAL_DATA_DIR: dir,
    PUNCTUAL_MCP_CONFIG: writeClock(dir),
  })
  const parts = await createProduct(config, pino({ level: 'silent' }))
  closings.push(() => parts.close())
  const worker = await startProductWorker(parts, { bundle: await workflowBundle() })
  closings.push(() => worker.stop())
  while (!parts.plugins.find(TOOL)) await sleep(100)
  return parts
}

/** The tool that answers at a given instant, as many calls at once as are wanted. */
function writeClock(dir: string): string {
  const server = path.resolve('test/runs/fixtures/servers/clock.mjs')
  const file = path.join(dir, 'mcp.json')
  const clock = { command: process.execPath, args: [server], schedule: true }
  fs.writeFileSync(file, JSON.stringify({ mcpServers: { clock } }))
  return file
}

interface Bench {
  parts: Parts
  pool: Pool
  sessions: string[]
  botUuid: string
}

async function prepare(parts: Parts): Promise<Bench> {
  const botUuid = uuidv7()
  await parts.stores.bots.create({ uuid: botUuid, name: 'Bench' })
  const caller = { kind: 'user', id: 'bench', name: 'bench', scopes: ['send'], bots: 'all' } as const
  const sessions: string[] = []
  for (let number = 0; number < SESSIONS; number += 1) {
    const address = { botUuid, launcherId: `person-${number}` }
    sessions.push((await parts.sessions.resolve({ ...caller, scopes: ['send'] }, address)).sessionKey)
  }
  const { pool } = parts.database
  await pool.query('CREATE TABLE bench_plain (due_at timestamptz, text text, told_at timestamptz)')
  return { parts, pool, sessions, botUuid }
}

/** `count` runs with deadlines at even distances; each ends `offsetOf` milliseconds after its own. */
async function startRuns(
  { parts, sessions, botUuid }: Bench,
  { count, first, offsetOf }: { count: number; first: number; offsetOf(number: number): number },
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const deadline = first + number * SPACING_MS
    const draftArgs = { until: deadline + offsetOf(number), schedule: new Date(deadline).toISOString() }
    await parts.runs.start({
      sessionKey: sessions[number % SESSIONS] ?? null,
      botUuid,
      origin: 'api',
      language: 'en',
      timezone: 'UTC',
      overlays: {},
      steps: [{ aiName: TOOL, draftArgs }],
    })
  }
}

/** What a program without promises does: a timer in memory and one insert. */
function startPlain({ pool }: Bench, first: number, count: number): Promise<unknown> {
  const tell = async (number: number) => {
    const deadline = first + number * SPACING_MS
    await sleep(deadline - Date.now())
    await pool.query('INSERT INTO bench_plain VALUES ($1, $2, clock_timestamp())', [new Date(deadline), 'done'])
  }
  return Promise.all(Array.from({ length: count }, (_, number) => tell(number)))
}

async function untilAllEnded({ pool }: Bench): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(`SELECT 1 FROM runs WHERE status = 'running'`)
    if (rowCount === 0) return
    await sleep(250)
  }
}

async function readLateness(pool: Pool, sql: string, values: Date[] = []): Promise<number[]> {
  const { rows } = await pool.query<{ late: number }>(sql, values)
  return rows.map(({ late }) => Number(late)).sort((a, b) => a - b)
}

const LATE_RUNS = `
  SELECT 1000 * extract(epoch FROM e.created_at - s.feedback_at) AS late FROM run_events e
  JOIN run_steps s ON s.run_id = e.run_id AND s.step_index = e.step_index
  WHERE e.type = 'tool_result' AND s.finished_at <= s.feedback_at AND e.run_id IN (SELECT id FROM runs WHERE created_at >= $1)`
const LATE_PLAIN = 'SELECT 1000 * extract(epoch FROM told_at - due_at) AS late FROM bench_plain'

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const figures = (sorted: number[]) => ({ p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: sorted.at(-1) ?? 0 })

async function measureLateness(bench: Bench): Promise<void> {
  // The first runs find everything cold.
  await startRuns(bench, { count: 5, first: Date.now() + 3_000, offsetOf: () => -3_600_000 })
  await untilAllEnded(bench)
  const since = new Date()
  // Time to create them all before the first is due; they are done at once and wait for their deadline.
  const first = Date.now() + 10_000 + LATENESS_RUNS * 150
  const plain = startPlain(bench, first, LATENESS_RUNS)
  await startRuns(bench, { count: LATENESS_RUNS, first, offsetOf: () => -3_600_000 })
  await plain
  await untilAllEnded(bench)
  const early = await readLateness(bench.pool, LATE_RUNS, [since])
  const ours = figures(early)
  const theirs = figures(await readLateness(bench.pool, LATE_PLAIN))
  say(
    `\nFeedback lateness in ms: ${early.length} of ${LATENESS_RUNS} runs were done early; one was due every ${SPACING_MS} ms`,
  )
  say('                          p50      p99      max')
  const line = (name: string, values: number[], digits: number) =>
    say(name.padEnd(20) + values.map((value) => value.toFixed(digits).padStart(9)).join(''))
  line('Punctual', Object.values(ours), 1)
  line('setTimeout + insert', Object.values(theirs), 1)
  line('ratio', [ours.p50 / theirs.p50, ours.p99 / theirs.p99, ours.max / theirs.max], 1)
}

const STORIES = `
  SELECT string_agg(type, ' ' ORDER BY seq) AS story, count(*) FILTER (WHERE type = 'tool_choice')::int AS interim,
    (SELECT count(*)::int FROM message_history m WHERE m.source_ref LIKE 'run:' || run_id || '/%') AS messages
  FROM run_events WHERE run_id IN (SELECT id FROM runs WHERE created_at >= $1) GROUP BY run_id`

interface Story {
  story: string
  interim: number
  messages: number
}

const isTrue = ({ story, interim, messages }: Story) =>
  ['args tool_result completed', 'args tool_choice tool_result completed'].includes(story) && messages === interim + 1

async function countViolations(bench: Bench): Promise<number> {
  const since = new Date()
  const first = Date.now() + 5_000 + RACE_RUNS * 40
  await startRuns(bench, { count: RACE_RUNS, first, offsetOf: (number) => (number % 41) - 20 })
  await untilAllEnded(bench)
  const { rows } = await bench.pool.query<Story>(STORIES, [since])
  const violations = RACE_RUNS - rows.filter(isTrue).length
  const interim = rows.filter((row) => row.interim === 1).length
  say(`\n${RACE_RUNS} runs that end at their deadline, from 20 ms before it to 20 ms after`)
  say(`told once, at the deadline: ${rows.length - interim}; told that it goes on, then the result: ${interim}`)
  say(`violations (two results, an interim state after the result, a message too many or too few): ${violations}`)
  return violations
}

async function main(): Promise<void> {
  const closings: Closing[] = []
  try {
    const bench = await prepare(await open(closings))
    await measureLateness(bench)
    if ((await countViolations(bench)) > 0) process.exitCode = 1
  } finally {
    for (const close of closings.reverse()) await close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
})

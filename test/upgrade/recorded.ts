import fs from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { ensureDatabase } from '../../src/embedded/ensure-database'
import { createTestFolder, findFreePort, startPostgres } from '../support/services'

/** What `scripts/record-upgrade.mjs` remembered of the installation that it made. */
export interface Made {
  dueAt: string
  outsideUrl: string
  courier: { bot: string; stuck: string; webhookSecret: string; closedSecret: string; key: string; revokedKey: string }
  sessions: Record<'web' | 'webhook' | 'telegram' | 'quiet' | 'deleted' | 'unified', string>
  automations: Record<'every' | 'cron' | 'paused' | 'removed' | 'once' | 'imported', string>
  runs: Record<'ended' | 'waiting' | 'chained' | 'outside' | 'cancelled' | 'underWay', string>
  tasks: { taskId: string }[]
  reminders: RecordedReminder[]
  histories: Record<string, { id: number; role: string; content: string; at: string }[]>
  openWorkflows: { workflowId: string; runId: string }[]
}

export interface RecordedReminder {
  id: string
  session_key: string
  channel: string
  text: string
  status: string
  source_kind: string
  due: number
}

export interface Installation {
  made: Made
  dataDir: string
  credentials: { api_key: string; username: string; password: string }
}

/** What is left of an older installation. */
export interface Left {
  /** By the version of Temporal's server that it ran on. */
  recording: 'server-1.29' | 'server-1.32'
  withTemporal?: boolean
}

/**
 * The data folder of an older version as it lay there after it was stopped. The world outside has moved meanwhile: it is
 * found where the doubles of this test listen.
 */
export async function restore(
  { recording, withTemporal = true }: Left,
  moved: (url: string) => [string, string][],
): Promise<Installation> {
  const source = path.join(__dirname, 'recorded', recording)
  const dataDir = createTestFolder('upgrade')
  for (const name of ['instance.json', 'credentials.json']) {
    fs.copyFileSync(path.join(source, name), path.join(dataDir, name))
  }
  const made = readJson<Made>(path.join(source, 'made.json'))
  await restoreDatabase(source, dataDir, moved(made.outsideUrl))
  if (withTemporal) restoreTemporal(source, path.join(dataDir, 'temporal'))
  return { made, dataDir, credentials: readJson(path.join(dataDir, 'credentials.json')) }
}

function restoreTemporal(source: string, dir: string): void {
  fs.mkdirSync(dir)
  for (const name of ['temporal.db', 'temporal.db-wal']) {
    const packed = path.join(source, `${name}.br`)
    if (fs.existsSync(packed)) fs.writeFileSync(path.join(dir, name), unpack(packed))
  }
}

async function restoreDatabase(source: string, dataDir: string, moved: [string, string][]): Promise<void> {
  const { postgresPassword: password } = readJson<{ postgresPassword: string }>(path.join(dataDir, 'instance.json'))
  const postgres = await startPostgres({ dir: path.join(dataDir, 'postgres'), port: await findFreePort(), password })
  await ensureDatabase(postgres.url('postgres'), 'punctual')
  const client = new Client({ connectionString: postgres.url('punctual') })
  await client.connect()
  await client.query(unpack(path.join(source, 'database.sql.br')).toString())
  for (const [from, to] of moved) {
    const move = 'UPDATE bot_channels SET settings = replace(settings::text, $1, $2)::jsonb'
    await client.query(move, [from, to])
  }
  await client.end()
  await postgres.stop()
}

const unpack = (file: string) => brotliDecompressSync(fs.readFileSync(file))
const readJson = <T>(file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as T

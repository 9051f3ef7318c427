import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { Pool } from 'pg'
import { postgresUrl } from '../../src/embedded/postgres'
import { eventually } from '../support/eventually'
import { startLedger } from '../support/ledger'
import type { Ledger } from '../support/ledger'
import { findFreePort } from '../support/services'
import { startTelegramServer } from '../support/telegram-server'
import type { TelegramServer } from '../support/telegram-server'
import { restore } from './recorded'
import type { Installation, Left } from './recorded'

const root = path.resolve(__dirname, '../..')
const READY_WITHIN_MS = 240_000

/** This version, started by `npm start` on what an older one has left, and all that the test can look at. */
export interface Upgraded extends Installation {
  ledger: Ledger
  telegram: TelegramServer
  pool: Pool
  temporal: Client
  output(): string
  /** A request with the administrator's old key, or with the given one; answers the status and the data. */
  api<T>(method: string, route: string, options?: { body?: object; key?: string }): Promise<{ status: number; data: T }>
  get<T>(route: string): Promise<T>
  close(): Promise<void>
}

export async function startUpgraded(left: Left): Promise<Upgraded> {
  const [ledger, telegram, github] = await Promise.all([startLedger(), startTelegramServer(), startGithub()])
  const installation = await restore(left, (url) => [
    [`${url}/telegram`, telegram.url],
    [`${url}/`, ledger.url],
  ])
  const { made, dataDir, credentials } = installation
  await ledger.trust(made.courier.webhookSecret, made.courier.closedSecret)
  const port = await findFreePort()
  const start = npmStart(dataDir, port, { TRUSTED_EGRESS_HOSTS: '127.0.0.1', GITHUB_API_URL: github.url })
  await eventually(() => start.isReady(), READY_WITHIN_MS, 200)
  const facts = JSON.parse(fs.readFileSync(path.join(dataDir, 'instance.json'), 'utf8')) as Facts
  const url = postgresUrl({ port: facts.postgresPort, password: facts.postgresPassword }, 'punctual')
  const pool = new Pool({ connectionString: url, max: 2 })
  const connection = await Connection.connect({ address: `127.0.0.1:${facts.temporalPort}` })

  const api: Upgraded['api'] = async <T>(
    method: string,
    route: string,
    options: { body?: object; key?: string } = {},
  ) => {
    const headers = { 'x-api-key': options.key ?? credentials.api_key, 'content-type': 'application/json' }
    const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) }
    const response = await fetch(`http://127.0.0.1:${port}${route}`, { method, headers, ...body })
    const { data } = (await response.json()) as { data: T }
    return { status: response.status, data }
  }
  return {
    ...installation,
    ledger,
    telegram,
    pool,
    temporal: new Client({ connection }),
    output: start.output,
    api,
    async get<T>(route: string) {
      const { status, data } = await api<T>('GET', route)
      if (status !== 200) throw new Error(`${route} answers ${status}`)
      return data
    },
    async close() {
      await pool.end()
      await connection.close()
      await start.stop()
      await Promise.all([ledger.close(), telegram.close(), github.close()])
    },
  }
}

interface Facts {
  postgresPort: number
  postgresPassword: string
  temporalPort: number
}

/** As a person starts it, in a process group of its own. */
function npmStart(dataDir: string, port: number, settings: Record<string, string>) {
  const { PATH, HOME, PUNCTUAL_CACHE_DIR, XDG_CACHE_HOME } = process.env
  const own = { PUNCTUAL_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...settings }
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, PUNCTUAL_CACHE_DIR, XDG_CACHE_HOME, ...own },
  })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const isOver = () => npm.exitCode !== null || npm.signalCode !== null
  return {
    output: () => output,
    isReady() {
      if (isOver()) throw new Error(`it did not start:\n${output}`)
      return output.includes('Punctual is ready.')
    },
    async stop() {
      if (isOver()) return
      const closed = once(npm, 'close')
      process.kill(-(npm.pid ?? 0), 'SIGINT')
      await closed
    },
  }
}

/** GitHub answers again. */
async function startGithub() {
  const server = createServer((request, response) => {
    const isRepository = /^\/repos\/[^/]+\/[^/]+$/.test(request.url ?? '')
    const body = { full_name: 'vercel/ai', html_url: 'https://github.com/vercel/ai', stargazers_count: 12 }
    response.writeHead(isRepository ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRepository ? body : { message: 'Not Found' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

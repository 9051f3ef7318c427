import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { waitUntil } from '../../src/embedded/wait'
import { createTestDatabase, createTestFolder, findFreePort, takeNamespace, temporalAddress } from '../support/services'

const root = path.resolve(__dirname, '../..')
const running: ChildProcess[] = []

afterAll(async () => {
  for (const child of running) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
})

it('goes from an empty database to the first conversation by migrate, server and worker', async () => {
  const database = await createTestDatabase()
  const dataDir = createTestFolder('own-services')
  const port = await findFreePort()
  const env = {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'error', PUNCTUAL_DATA_DIR: dataDir },
    ...{ DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: takeNamespace() },
    PORT: String(port),
  }
  const migrate = () => spawnSync('node', ['scripts/run.mjs', 'migrate'], { cwd: root, env, encoding: 'utf8' }).stdout
  expect(migrate()).toMatch(/first administrator is "admin".*credentials\.json/)
  const file = path.join(dataDir, 'credentials.json')
  const made = fs.readFileSync(file, 'utf8')
  expect(migrate()).not.toContain('administrator')
  expect(fs.readFileSync(file, 'utf8')).toBe(made)

  for (const part of ['server', 'worker']) {
    running.push(spawn('node', ['scripts/run.mjs', part], { cwd: root, env, stdio: 'ignore' }))
  }
  const { api_key, username, password } = JSON.parse(made) as Record<'api_key' | 'username' | 'password', string>
  const ask = (route: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const login = () => ask('/api/v1/auth/login', { username, password }).catch(() => undefined)
  expect(await waitUntil(async () => (await login())?.status === 200, { timeoutMs: 90_000, everyMs: 300 })).toBe(true)
  const said = await ask('/api/ai/chat', { message: 'remind me in 1 second to stretch' }, { 'x-api-key': api_key })
  const { data } = (await said.json()) as { data: { session_key: string } }
  const isReminded = async () => {
    const route = `/api/ai/messages?session_key=${encodeURIComponent(data.session_key)}`
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, { headers: { 'x-api-key': api_key } })
    return (await answer.text()).includes('scheduled_send')
  }
  expect(await waitUntil(isReminded, { timeoutMs: 60_000, everyMs: 300 })).toBe(true)
}, 240_000)

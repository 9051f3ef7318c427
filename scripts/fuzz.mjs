#!/usr/bin/env node
// npm run fuzz [examples] [seed]: schemathesis (from PyPI, cached) over /docs/json of a Punctual of its own, thrown away afterwards.
// Fails on any server error, undeclared status or answer that breaks its schema. Without Python or PyPI it says so and skips.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { ensureReady } from './setup.mjs'
import { inRoot } from './setup/files.mjs'
import { SetupError, runCommand, runScript, say, step } from './setup/progress.mjs'

const VERSION = '4.32.5'
const EXAMPLES = process.argv[2] ?? '20'
/** The same cases each time, unless told; a failure must not come and go. */
const SEED = process.argv[3] ?? '1'
const CHECKS = 'not_a_server_error,status_code_conformance,response_schema_conformance,content_type_conformance'
/** Streams without end. */
const LEFT_OUT = '/events'
/** Who asks: every kind of key, a key that is bound to one bot, a person who signed in, and nobody. */
const CALLERS = ['admin', 'send', 'read', 'bound', 'person', 'nobody']
const READY_WITHIN_MS = 180_000

await runScript(async () => {
  const program = await findSchemathesis()
  if (!program) return say('SKIPPED: schemathesis needs python3 and PyPI')
  await ensureReady({ build: true })
  const dataDir = mkdtempSync(path.join(tmpdir(), 'punctual-fuzz-'))
  const port = await freePort()
  const punctual = spawn(process.execPath, [inRoot('scripts', 'start.mjs')], {
    env: { ...process.env, PUNCTUAL_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await step('starting a Punctual to be fuzzed', () => untilReady(url, punctual))
    const headers = await makeCallers(url, JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')))
    for (const caller of CALLERS) {
      say(`as ${caller}:`)
      await runCommand(
        program,
        [
          ...[
            'run',
            `${url}/docs/json`,
            ...headers[caller].flatMap((header) => ['--header', header]),
            '--checks',
            CHECKS,
          ],
          ...['--max-examples', EXAMPLES, '--phases', 'examples,coverage,fuzzing', '--exclude-path-regex', LEFT_OUT],
          ...['--request-timeout', '30', '--generation-allow-x00', 'false', '--no-color', '--seed', SEED],
        ],
        // It keeps what it learns where it stands.
        { cwd: dataDir },
      )
    }
  } finally {
    punctual.kill('SIGINT')
    await new Promise((resolve) => punctual.once('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
})

/** The headers that each caller sends. What is fuzzed as one may delete keys, so each has its own. */
async function makeCallers(url, credentials) {
  const ask = async (address, body, header) => {
    const answer = await fetch(`${url}${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...header },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new SetupError(`${address} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()).data
  }
  const root = { 'x-api-key': credentials.api_key }
  const key = async (scope, bots = []) => {
    const made = await ask('/api/v1/api-keys', { name: `fuzz ${scope}`, scopes: [scope], bot_uuids: bots }, root)
    return [`X-API-Key: ${made.key}`]
  }
  const bot = await ask('/api/v1/bots', { name: 'fuzzed' }, root)
  const { username, password } = credentials
  const { token } = await ask('/api/v1/auth/login', { username, password })
  return {
    admin: await key('admin'),
    send: await key('send'),
    read: await key('read'),
    bound: await key('send', [bot.uuid]),
    person: [`Authorization: Bearer ${token}`],
    nobody: [],
  }
}

async function findSchemathesis() {
  const folder = path.join(
    process.env.PUNCTUAL_CACHE_DIR ?? path.join(homedir(), '.cache', 'punctual'),
    `schemathesis-${VERSION}`,
  )
  const program = path.join(folder, 'bin', 'schemathesis')
  if (existsSync(program)) return program
  try {
    await step(`installing schemathesis ${VERSION}`, async () => {
      await runCommand('python3', ['-m', 'venv', folder])
      await runCommand(path.join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
    })
    return program
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    rmSync(folder, { recursive: true, force: true })
    say(error.message)
    return undefined
  }
}

async function untilReady(url, punctual) {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (punctual.exitCode !== null) throw new SetupError('Punctual ended before it was ready')
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new SetupError('Punctual was not ready in time')
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

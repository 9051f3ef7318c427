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
/** Streams without end, and what would take away the key that we ask with. */
const LEFT_OUT = '/events|/api-keys|/auth/|/metrics|/chat'
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
    const { api_key: key } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'))
    await runCommand(
      program,
      [
        ...['run', `${url}/docs/json`, '--header', `X-API-Key: ${key}`, '--checks', CHECKS],
        ...['--max-examples', EXAMPLES, '--phases', 'examples,coverage,fuzzing', '--exclude-path-regex', LEFT_OUT],
        ...['--request-timeout', '20', '--generation-allow-x00', 'false', '--no-color', '--seed', SEED],
      ],
      // It keeps what it learns where it stands.
      { cwd: dataDir },
    )
  } finally {
    punctual.kill('SIGINT')
    await new Promise((resolve) => punctual.once('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
})

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

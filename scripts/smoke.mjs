#!/usr/bin/env node
// node scripts/smoke.mjs [MAJOR]: the built product on another Node, from the npm packages of `node`: ready, one answer, stopped.
// node scripts/smoke.mjs --lean: the same on this Node, with nothing but what the Dockerfile takes: dist and `npm ci --omit=dev`.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureReady } from './setup.mjs'
import { inRoot } from './setup/files.mjs'
import { SetupError, runCommand, runScript, say, step } from './setup/progress.mjs'

const LEAN = process.argv[2] === '--lean'
const MAJOR = LEAN ? process.versions.node.split('.')[0] : (process.argv[2] ?? '24')
const READY_WITHIN_MS = 180_000

await runScript(async () => {
  await ensureReady({ build: true })
  const folder = LEAN ? await leanCopy() : inRoot()
  const program = LEAN ? path.join(folder, 'dist', 'src', 'main.js') : inRoot('scripts', 'start.mjs')
  const node = LEAN ? process.execPath : await findNode()
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'punctual-smoke-'))
  const punctual = spawn(node, [program], {
    cwd: folder,
    env: { ...process.env, PUNCTUAL_DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => punctual.once('exit', resolve))
  try {
    const url = await step(`starting on Node ${MAJOR}`, () => untilReady(punctual, ended))
    const { api_key: key } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'))
    await step('one conversation', () => talk(url, key))
  } finally {
    punctual.kill('SIGINT')
    const code = await ended
    for (const place of LEAN ? [dataDir, folder] : [dataDir]) {
      rmSync(place, { recursive: true, force: true, maxRetries: 3 })
    }
    if (code !== 0) say(`it ended with code ${code}`)
  }
})

/** npm keeps these as optional peers of the Prisma client, which needs neither to run; the Dockerfile removes them too. */
const TOOLS_LEFT = ['prisma', '@prisma/engines', 'typescript']

/** What the image holds, and the embedded services besides; no source and no tool. */
async function leanCopy() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punctual-lean-'))
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'dist']) {
    cpSync(inRoot(name), path.join(folder, name), { recursive: true })
  }
  await step('npm ci --omit=dev', () => runCommand('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder }))
  for (const tool of TOOLS_LEFT) rmSync(path.join(folder, 'node_modules', tool), { recursive: true, force: true })
  for (const tool of ['jest', 'vite', 'eslint']) {
    if (existsSync(path.join(folder, 'node_modules', tool))) throw new SetupError(`${tool} came unasked`)
  }
  return folder
}

async function findNode() {
  const cache = process.env.PUNCTUAL_CACHE_DIR ?? path.join(os.homedir(), '.cache', 'punctual')
  const folder = path.join(cache, `node-${MAJOR}`)
  // What the package `node` would fetch by its install script.
  const name = `node-${process.platform}-${process.arch}`
  const node = path.join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(node)) return node
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error']
  await step(`downloading Node ${MAJOR}`, () => runCommand('npm', [...args, `${name}@${MAJOR}`], { cwd: folder }))
  if (!existsSync(node)) throw new SetupError(`the package ${name} left no program at ${node}`)
  return node
}

function untilReady(punctual, ended) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SetupError('it was not ready in time')), READY_WITHIN_MS)
    let said = ''
    punctual.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
      const page = /Page +(http:\S+?)\/\s/.exec(said)?.[1]
      if (page) resolve(page)
    })
    void ended.then((code) => reject(new SetupError(`it ended with code ${code}`))).finally(() => clearTimeout(timer))
  })
}

/** A reminder of one second goes the whole road: model, tool, row, workflow, history. */
async function talk(url, key) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ message: 'remind me in 1 second to stretch' })
  const answer = await fetch(`${url}/api/ai/chat`, { method: 'POST', headers, body })
  if (!answer.ok) throw new SetupError(`the chat answered ${answer.status}`)
  const { data } = await answer.json()
  const messages = `${url}/api/ai/messages?session_key=${encodeURIComponent(data.session_key)}`
  for (let attempt = 1; attempt <= 60; attempt += 1) {
    if ((await (await fetch(messages, { headers })).text()).includes('scheduled_send')) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new SetupError('the reminder did not come')
}

#!/usr/bin/env node
// node scripts/measure-setup.mjs: how long a new user waits, with an empty home folder, step by step. Leaves nothing behind.
import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inRoot } from './setup/files.mjs'
import { SetupError, runCommand, runScript, say } from './setup/progress.mjs'

const READY_WITHIN_MS = 20 * 60_000
const STOPPED_WITHIN_MS = 60_000

await runScript(async () => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'punctual-measure-'))
  const home = path.join(place, 'home')
  const clone = path.join(place, 'punctual')
  mkdirSync(home)
  try {
    await runCommand('git', ['clone', '--quiet', inRoot(), clone])
    const { PATH, npm_config_registry: registry } = process.env
    const env = { PATH, HOME: home, PORT: '0', LOG_LEVEL: 'error', ...(registry && { npm_config_registry: registry }) }
    const rows = []
    const cold = await measureStart(clone, env)
    for (const [title, seconds] of cold.steps) rows.push([`  ${title}`, seconds])
    rows.unshift(['npm start, nothing cached: ready', cold.readySeconds])
    rows.push(['Ctrl-C: stopped', cold.stopSeconds])
    const warm = await measureStart(clone, env)
    rows.push(['npm start, built: ready', warm.readySeconds], ['Ctrl-C: stopped', warm.stopSeconds])
    for (const [title, seconds] of rows) console.log(`${title.padEnd(60)} ${seconds.toFixed(1).padStart(7)} s`)
    const { cpus, totalmem } = os
    console.log(
      `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}; load ${os.loadavg()[0].toFixed(1)}`,
    )
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
})

/** Every "…: done in N s" of the set-up is a step; what the services say is timed from the beginning. */
function measureStart(cwd, env) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const since = (from) => (performance.now() - from) / 1000
    const punctual = spawn(process.execPath, ['scripts/start.mjs'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const steps = []
    const result = { steps }
    let stopping
    let timer = setTimeout(() => giveUp('was not ready'), READY_WITHIN_MS)
    const giveUp = (what) => {
      punctual.kill('SIGKILL')
      reject(new SetupError(`Punctual ${what} in time`))
    }
    const hear = (line) => {
      if (line.startsWith('punctual: ')) say(`  ${line.slice(10)}`)
      const done = /^punctual: (.*): done in ([\d.]+) s/.exec(line) ?? /^punctual: (.*) \((\d+) s\)$/.exec(line)
      if (done) steps.push([done[1], Number(done[2])])
      if (!line.startsWith('Punctual is ready')) return
      result.readySeconds = since(started)
      stopping = performance.now()
      clearTimeout(timer)
      timer = setTimeout(() => giveUp('did not stop'), STOPPED_WITHIN_MS)
      punctual.kill('SIGINT')
    }
    for (const stream of [punctual.stdout, punctual.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => text.split('\n').forEach(hear))
    }
    punctual.once('exit', (code) => {
      clearTimeout(timer)
      if (stopping === undefined) return reject(new SetupError(`npm start ended with code ${code}`))
      resolve({ ...result, stopSeconds: since(stopping) })
    })
  })
}

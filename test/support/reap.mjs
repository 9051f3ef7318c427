// Ends everything that runs on the given folder and removes the folder. With `--when-closed` it waits until its stdin
// closes, which happens however its parent ends, kill -9 included; so no test run leaves anything behind.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [dir, mode] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
if (mode === '--when-closed') for await (const _ of process.stdin);

// In this order: a supervisor would start its services again. SIGQUIT is PostgreSQL's immediate shutdown: as quick as
// a kill, yet it frees its shared memory.
await end('lock.json', 'SIGKILL')
await end('temporal.pid.json', 'SIGKILL')
await end('postmaster.pid', 'SIGQUIT')
fs.rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

async function end(fileName, signal) {
  const pids = findPids(fileName)
  for (const pid of pids) process.kill(pid, signal)
  for (let wait = 0; wait < 100 && pids.some(isAlive); wait += 1) await pause(50)
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
}

function findPids(fileName) {
  const files = fs.existsSync(dir) ? fs.readdirSync(dir, { withFileTypes: true, recursive: true }) : []
  return files
    .filter(({ name }) => name === fileName)
    .map((file) => path.join(file.parentPath ?? file.path, file.name))
    .flatMap(readPid)
}

/** A pid may have been given to a stranger since: ours have the folder in their command, or the start time on record. */
function readPid(file) {
  const text = fs.readFileSync(file, 'utf8')
  const pid = Number(/\d+/.exec(text)?.[0])
  const known = text.startsWith('{') ? JSON.parse(text).startedAt.endsWith(startTime(pid)) : command(pid).includes(dir)
  return known && isAlive(pid) ? [pid] : []
}

function command(pid) {
  return ask(pid, 'command')
}

function isAlive(pid) {
  return /^[^Z]/.test(ask(pid, 'stat'))
}

function ask(pid, field) {
  return spawnSync('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}

function startTime(pid) {
  if (process.platform !== 'linux') return ask(pid, 'lstart') || 'gone'
  const file = `/proc/${pid}/stat`
  return fs.existsSync(file) ? `/${fs.readFileSync(file, 'utf8').split(') ')[1].split(' ')[19]}` : 'gone'
}

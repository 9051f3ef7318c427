// Ends every service that runs on the given folder and removes the folder. With `--when-closed` it waits until its
// stdin closes, which happens however its parent ends, kill -9 included; so no test run leaves anything behind.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [dir, mode] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
if (mode === '--when-closed') for await (const _ of process.stdin);

const pids = findPids(dir)
for (const pid of pids) signal(pid, isPostgres(pid) ? 'SIGQUIT' : 'SIGKILL')
for (let wait = 0; wait < 100 && pids.some(isOurs); wait += 1) {
  if (wait === 50) for (const pid of pids.filter(isOurs)) signal(pid, 'SIGKILL')
  await pause(50)
}
fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 })

function findPids(folder) {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true, recursive: true }) : []
  const found = files.filter(({ name }) => name === 'postmaster.pid' || name === 'temporal.pid.json')
  return found.map((file) => readPid(path.join(file.parentPath ?? file.path, file.name))).filter(isOurs)
}

function readPid(file) {
  try {
    return Number(/\d+/.exec(fs.readFileSync(file, 'utf8'))?.[0])
  } catch {
    return undefined
  }
}

/** SIGQUIT is PostgreSQL's immediate shutdown: as quick as a kill, yet it frees its shared memory. */
function isPostgres(pid) {
  return describe(pid).includes('postgres -D')
}

/** A pid may have been given to a stranger since; ours have the folder in their command. */
function isOurs(pid) {
  return Boolean(pid) && describe(pid).includes(dir) && !describe(pid).startsWith('Z')
}

function describe(pid) {
  return spawnSync('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { PostgresLauncher } from './postgres-binaries'
import { commandLine, isAlive } from './process'
import { waitUntil } from './wait'
import { hasErrorCode } from './system-error'

const BACKENDS_GONE_WITHIN_MS = 10_000
const OWNER_ONLY = 0o700

/** Makes the data folder, all or nothing: an initdb that was killed half-way leaves only a draft. */
export function initialiseFolder(launcher: PostgresLauncher, dir: string, password: string): void {
  if (fs.existsSync(path.join(dir, 'PG_VERSION'))) return
  const draft = `${dir}.new`
  fs.rmSync(draft, { recursive: true, force: true })
  fs.mkdirSync(draft, { recursive: true, mode: OWNER_ONLY })
  const passwordFile = `${draft}.password`
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  giveTo(launcher, draft, passwordFile)
  try {
    runInitdb(launcher, draft, passwordFile)
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
  fs.rmSync(dir, { recursive: true, force: true })
  fs.renameSync(draft, dir)
}

function runInitdb(launcher: PostgresLauncher, dir: string, passwordFile: string): void {
  const [file, args] = launcher.command('initdb', [
    `--pgdata=${dir}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  const result = spawnSync(file, args, { ...launcher.ids, encoding: 'utf8', timeout: 120_000 })
  if (result.status === 0) return
  const hint = launcher.ids.uid === undefined ? '' : ' (as root it runs as "nobody": use an ordinary user instead)'
  throw new Error(`PostgreSQL's initdb failed${hint}: ${result.error?.message ?? result.stderr}`)
}

function giveTo({ ids }: PostgresLauncher, ...paths: string[]): void {
  if (ids.uid === undefined || ids.gid === undefined) return
  for (const file of paths) fs.chownSync(file, ids.uid, ids.gid)
  for (const file of paths) fs.chmodSync(path.dirname(file), 0o711)
}

const pidFile = (dir: string) => path.join(dir, 'postmaster.pid')

function readPid(dir: string): number | undefined {
  if (!fs.existsSync(pidFile(dir))) return undefined
  return Number(fs.readFileSync(pidFile(dir), 'utf8').split('\n')[0]) || undefined
}

/** The PostgreSQL that runs on this folder, if one does. */
export function findPostmaster(dir: string): number | undefined {
  const pid = readPid(dir)
  return pid !== undefined && isAlive(pid) && commandLine(pid).includes(dir) ? pid : undefined
}

/**
 * PostgreSQL refuses to start while the pid in its file answers signals, even if it is a zombie or a stranger. The file
 * is removed then, but only when no process of the old server still works on the folder.
 */
export async function clearStalePidFile(dir: string): Promise<void> {
  const pid = readPid(dir)
  if (pid === undefined || findPostmaster(dir) !== undefined) return
  const gone = await waitUntil(() => !hasBackends(dir), { timeoutMs: BACKENDS_GONE_WITHIN_MS, everyMs: 50 })
  if (!gone) throw new Error(`processes of an earlier PostgreSQL still work on ${dir}`)
  if (answersSignals(pid)) fs.rmSync(pidFile(dir), { force: true })
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}

/** Every PostgreSQL process has the data folder as its working folder. */
function hasBackends(dir: string): boolean {
  if (process.platform !== 'linux') return false
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.some((pid) => readLink(`/proc/${pid}/cwd`) === fs.realpathSync(dir))
}

function readLink(link: string): string | undefined {
  try {
    return fs.readlinkSync(link)
  } catch {
    return undefined
  }
}

import type { ChildProcess } from 'node:child_process'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { pause, waitUntil } from './wait'
import { hasErrorCode } from './system-error'

/** Names one process for good: a pid alone is given out again. */
export interface ProcessMark {
  pid: number
  startedAt: string
}

/** False for a zombie too: it answers signals, yet does nothing any more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM')) return false
  }
  return process.platform !== 'linux' || readStat(pid) !== undefined
}

export function markProcess(pid: number): ProcessMark | undefined {
  const startedAt = isAlive(pid) ? readStartTime(pid) : undefined
  return startedAt === undefined ? undefined : { pid, startedAt }
}

export function isSameProcess(mark: ProcessMark): boolean {
  return markProcess(mark.pid)?.startedAt === mark.startedAt
}

/** The command a process was started with, to tell ours from a stranger that got the same pid. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return (readFile(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

export function parentOf(pid: number): number | undefined {
  if (process.platform === 'linux') return Number(readStat(pid)?.[1]) || undefined
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout) || undefined
}

/** Sends each signal in turn until the process is gone; the last one must be SIGKILL to be sure. */
export async function endProcess(
  pid: number,
  steps: readonly { signal: NodeJS.Signals; timeoutMs: number }[],
): Promise<boolean> {
  for (const { signal, timeoutMs } of steps) {
    if (!isAlive(pid)) return true
    sendSignal(pid, signal)
    if (await waitUntil(() => !isAlive(pid), { timeoutMs, everyMs: 20 })) return true
  }
  return !isAlive(pid)
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error
  }
}

/** Resolves when a child is gone, without looking for it. */
export function untilExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

/** Resolves when the process is gone; for adopted processes, which are not our children and have to be looked for. */
export async function untilGone(
  pid: number,
  { signal, everyMs = 200 }: { signal?: AbortSignal; everyMs?: number } = {},
) {
  while (isAlive(pid) && signal?.aborted !== true) await pause(everyMs)
}

function readStartTime(pid: number): string | undefined {
  if (process.platform === 'linux') {
    // Ticks since boot mean nothing after the next boot, so the boot is part of the mark.
    const boot = readFile('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
    const ticks = readStat(pid)?.[19]
    return ticks === undefined ? undefined : `${boot}/${ticks}`
  }
  if (process.platform === 'win32') return ''
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined
}

/** The fields of /proc/<pid>/stat from "state" on; undefined for the dead and for zombies. */
function readStat(pid: number): string[] | undefined {
  const stat = readFile(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields
}

function readFile(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

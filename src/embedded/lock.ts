import fs from 'node:fs'
import path from 'node:path'
import type { ProcessMark } from './process'
import { isSameProcess, markProcess } from './process'
import { waitUntil } from './wait'
import { hasErrorCode } from './system-error'

const GUARD_STALE_AFTER_MS = 5_000

export class LockHeldError extends Error {
  constructor(
    readonly file: string,
    readonly pid: number,
  ) {
    super(`${file} is held by process ${pid}`)
    this.name = 'LockHeldError'
  }
}

export interface Lock {
  /** The holder before us was killed and could not release it. */
  takenOver: boolean
  release(): void
}

/** Takes the lock now or throws LockHeldError. A holder that is gone, by pid and start time, is taken over. */
export function takeLock(file: string): Lock {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  if (createWith(file, ownMark())) return { takenOver: false, release: () => release(file) }
  return takeOver(file)
}

/** Waits for the lock as long as its holder lives, up to the given time. */
export async function waitForLock(
  file: string,
  { timeoutMs, onWait, signal }: { timeoutMs: number; onWait: () => void; signal?: AbortSignal },
): Promise<Lock> {
  let lock: Lock | undefined
  let told = false
  const attempt = () => {
    signal?.throwIfAborted()
    try {
      lock = takeLock(file)
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error
      if (!told) onWait()
      told = true
    }
    return lock !== undefined
  }
  await waitUntil(attempt, { timeoutMs, everyMs: 200 })
  return lock ?? takeLock(file)
}

/** Two takers must not both remove the stale file, or the second removes the first one's fresh lock. */
function takeOver(file: string): Lock {
  const guard = `${file}.takeover`
  removeStaleGuard(guard)
  if (!createWith(guard, ownMark())) throw new LockHeldError(file, readMark(guard)?.pid ?? 0)
  try {
    const holder = readMark(file)
    if (holder !== undefined && isSameProcess(holder)) throw new LockHeldError(file, holder.pid)
    fs.rmSync(file, { force: true })
    if (!createWith(file, ownMark())) throw new LockHeldError(file, readMark(file)?.pid ?? 0)
    return { takenOver: true, release: () => release(file) }
  } finally {
    fs.rmSync(guard, { force: true })
  }
}

function removeStaleGuard(guard: string): void {
  const age = Date.now() - (fs.statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > GUARD_STALE_AFTER_MS) fs.rmSync(guard, { force: true })
}

/** The file appears whole or not at all, so no reader ever sees a lock without its holder. */
function createWith(file: string, mark: ProcessMark): boolean {
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(mark), { mode: 0o600 })
  try {
    fs.linkSync(draft, file)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function release(file: string): void {
  const holder = readMark(file)
  if (holder?.pid === process.pid && isSameProcess(holder)) fs.rmSync(file, { force: true })
}

function ownMark(): ProcessMark {
  return markProcess(process.pid) ?? { pid: process.pid, startedAt: '' }
}

export function readMark(file: string): ProcessMark | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
    return isMark(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isMark(value: unknown): value is ProcessMark {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  )
}

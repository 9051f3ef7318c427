import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import path from 'node:path'
import type { SettingsMessage } from './parent-settings'
import { WAITS_FOR_SETTINGS } from './parent-settings'
import { endProcess } from './process'
import type { Life } from './supervise'

const READY_WITHIN_MS = 90_000
/** The children end by themselves when the time to drain is over. */
const DRAIN_WITHIN_MS = 15_000

/** Short-lived objects get 2 MB instead of up to 48. */
const SMALL_HEAP = ['--max-semi-space-size=2']
/** Two heaps of malloc instead of eight a core, which give back what a start has used instead of keeping it (glibc). */
const SMALL_MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' }

export interface ForkOptions {
  file: string
  /** Settings on top of the ones this process was given, once they are known; the child loads its code meanwhile. */
  settings(): Promise<Record<string, string>>
  signal: AbortSignal
}

/**
 * Runs a front door or a worker. In a process group of its own, so that the terminal's Ctrl-C reaches only us and the
 * drain has one conductor; the channel between us closes when we die in any way, and the child then ends by itself.
 */
export async function forkChild({ file, settings, signal }: ForkOptions): Promise<Life> {
  const child = fork(file, [], {
    detached: true,
    env: { ...SMALL_MALLOC, ...process.env, [WAITS_FOR_SETTINGS]: 'true' },
    execArgv: [...SMALL_HEAP, '--require', path.join(__dirname, 'end-with-parent.js')],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, name) => resolve(name ?? `code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const stop = () => endChild(child, 'SIGTERM')
  try {
    const message = {
      type: 'settings',
      settings: await unlessEnded(settings(), ended, signal),
    } satisfies SettingsMessage
    child.send(message, () => undefined)
    await untilReady(child, ended, signal)
  } catch (error) {
    await endChild(child, 'SIGTERM')
    throw error
  }
  return { ended, stop, kill: () => void child.kill('SIGKILL') }
}

function unlessEnded<T>(work: Promise<T>, ended: Promise<string>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('it was stopped'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    void ended.then((how) => reject(new Error(`ended with ${how}`)))
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  await endProcess(child.pid, [
    { signal, timeoutMs: DRAIN_WITHIN_MS },
    { signal: 'SIGKILL', timeoutMs: 5_000 },
  ])
}

function untilReady(child: ChildProcess, ended: Promise<string>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish('it was not ready in time'), READY_WITHIN_MS)
    const onMessage = (message: unknown) => isReadyMessage(message) && finish()
    const onAbort = () => finish('it was stopped')
    function finish(fault?: string): void {
      clearTimeout(timer)
      child.off('message', onMessage)
      signal.removeEventListener('abort', onAbort)
      if (fault === undefined) resolve()
      else reject(new Error(fault))
    }
    child.on('message', onMessage)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    void ended.then((how) => finish(`ended with ${how}`))
  })
}

function isReadyMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready'
}

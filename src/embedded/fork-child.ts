import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import path from 'node:path'
import { endProcess } from './process'
import type { Life } from './supervise'

const READY_WITHIN_MS = 90_000
/** The children drain for about ten seconds by themselves. */
const DRAIN_WITHIN_MS = 15_000

export interface ForkOptions {
  file: string
  /** Settings on top of the ones this process was given. */
  settings: Record<string, string>
  signal: AbortSignal
}

/**
 * Runs a front door or a worker. In a process group of its own, so that the terminal's Ctrl-C reaches only us and the
 * drain has one conductor; the channel between us closes when we die in any way, and the child then ends by itself.
 */
export async function forkChild({ file, settings, signal }: ForkOptions): Promise<Life> {
  const child = fork(file, [], {
    detached: true,
    env: { ...process.env, ...settings },
    execArgv: ['--enable-source-maps', '--require', path.join(__dirname, 'end-with-parent.js')],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, name) => resolve(name ?? `code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const stop = () => endChild(child, 'SIGTERM')
  try {
    await untilReady(child, ended, signal)
  } catch (error) {
    await endChild(child, 'SIGTERM')
    throw error
  }
  return { ended, stop, kill: () => void child.kill('SIGKILL') }
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

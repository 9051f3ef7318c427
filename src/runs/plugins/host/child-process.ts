import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { RUNS_FROM_SOURCE } from '../registry'

export interface ChildOptions {
  memoryMb: number
  env: Record<string, string>
  start: { file: string }
}

const ENTRY = path.join(__dirname, '../child', RUNS_FROM_SOURCE ? 'child.ts' : 'child.js')
const HOOK = RUNS_FROM_SOURCE ? ['--require', path.join(__dirname, '../source-hook.cjs')] : []

/** A process for one call, leader of a group of its own, so that all it starts can be ended with it. */
export function startChild({ memoryMb, env, start }: ChildOptions): ChildProcess {
  const child = fork(ENTRY, [], {
    cwd: path.dirname(start.file),
    env,
    detached: true,
    execArgv: [`--max-old-space-size=${memoryMb}`, ...HOOK],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // Should the machine run out of memory, this is the one to go. Only Linux knows this.
  fs.writeFile(`/proc/${child.pid}/oom_score_adj`, '1000', () => undefined)
  return child
}

/** Ends the child and everything in its group, and waits until it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const gone = child.exitCode !== null || child.signalCode !== null
  const exit = gone ? undefined : new Promise((resolve) => child.once('exit', resolve))
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty already.
  }
  await exit
}

/** Memory outside the heap (buffers) has no limit in Node, so that the whole is watched. Only Linux tells it. */
export function watchMemory(child: ChildProcess, limitMb: number, onExceeded: () => void): () => void {
  const look = () =>
    fs.readFile(`/proc/${child.pid}/status`, 'utf8', (error, status) => {
      const kilobytes = error === null ? Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) : 0
      if (kilobytes > limitMb * 1024) onExceeded()
    })
  const timer = setInterval(look, 200)
  return () => clearInterval(timer)
}

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** A front door or a worker as a process of its own, to be killed, paused and watched. */
export interface ProductProcess {
  part: 'server' | 'worker'
  pid: number
  /** Where a front door listens. */
  url: string
  /** How it ended: the signal or the exit code. */
  ended: Promise<string>
  isRunning(): boolean
  signal(name: NodeJS.Signals): void
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>
}

/** A machine that is busy with everything else takes its time. */
const READY_WITHIN_MS = 600_000

/** Starts the built product with nothing in its environment but what is given; its output goes into the file. */
export async function startProcess(
  part: ProductProcess['part'],
  {
    settings,
    log,
    code = path.resolve(__dirname, '../..'),
  }: { settings: Record<string, string>; log: string; code?: string },
): Promise<ProductProcess> {
  const output = fs.openSync(log, 'a')
  const { PATH, HOME } = process.env
  const child = fork(path.join(code, 'src', `${part}.js`), [], {
    execArgv: [],
    env: { PATH, HOME, PORT: '0', ...settings },
    // The channel closes when this process ends in any way, and the child then ends by itself.
    stdio: ['ignore', output, output, 'ipc'],
  })
  fs.closeSync(output)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise<string>((resolve) => child.once('exit', (code, name) => resolve(name ?? `code ${code}`)))
  const url = await untilReady(child, ended, log)
  return {
    part,
    pid: child.pid ?? 0,
    url,
    ended,
    isRunning,
    signal: (name) => void child.kill(name),
    async kill() {
      if (isRunning()) child.kill('SIGKILL')
      await ended
    },
  }
}

/** A process that dies by a crash point may do so before it is ready: then this throws, and says how it ended. */
function untilReady(child: ChildProcess, ended: Promise<string>, log: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`not ready in time, see ${log}`))
    }, READY_WITHIN_MS)
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type !== 'ready') return
      clearTimeout(timer)
      resolve(message.url ?? '')
    })
    void ended.then((how) => {
      clearTimeout(timer)
      reject(new Error(`it ended with ${how} before it was ready, see ${log}`))
    })
  })
}

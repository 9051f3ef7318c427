import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import type { PluginCall, RunResult } from '../contract'
import { listenToChild } from './child-listener'
import { endChild, startChild, watchMemory } from './child-process'
import type { ChildStart, HostMessage } from '../ipc'
import { messageOf } from '../../../errors'
import type { Heartbeat } from '../../../engine/heartbeat'
import { cancelled, failed, timedOut } from '../run-results'

export interface ChildCall {
  start: ChildStart
  /** What Node itself needs to know, such as NODE_EXTRA_CA_CERTS; a handler can see it. */
  env: Record<string, string>
  memoryMb: number
  timeoutMs: number
  heartbeat: Heartbeat
  onFile: PluginCall['onFile']
  onUsage: PluginCall['onUsage']
  onStart: PluginCall['onStart']
  logger: Logger
}

/** From booting the process to its first word; the plugin's own time begins after it. */
const START_LIMIT_MS = 30_000
/** Not the handler's own words. */
const BROKEN = { reason: 'broken' } as const
/** Between the abort of `context.signal` and the end of the process. */
const GRACE_MS = 2_000
/** Node itself, and what a handler holds outside the heap. */
const MEMORY_BESIDE_HEAP_MB = 256
const MAX_TAIL = 4_096

/** One call in a process of its own. Whatever the handler does, it ends in a result, and nothing is left running. */
export async function runInChild(call: ChildCall): Promise<RunResult> {
  const child = startChild(call)
  const undo: (() => void)[] = []
  try {
    return await new Promise<RunResult>((resolve) => {
      // What a handler says after it was told to stop counts no more.
      const end = (result: RunResult) => resolve(call.heartbeat.signal.aborted ? cancelled() : result)
      const talk: Talk = { call, child, end, send: createSend(child) }
      undo.push(watchDeath(talk), watchTime(talk), watchSignal(talk))
    })
  } finally {
    undo.forEach((stop) => stop())
    await endChild(child)
  }
}

/** One call while it lasts. */
export interface Talk {
  call: ChildCall
  child: ChildProcess
  end(result: RunResult): void
  send(message: HostMessage): void
}

function createSend(child: ChildProcess) {
  return (message: HostMessage) => {
    if (child.connected) child.send(message, () => undefined)
  }
}

function watchDeath({ call, child, end }: Talk): () => void {
  const { memoryMb } = call
  const readTail = followOutput(child, call.logger)
  child.once('error', (error) => end(failed(`its process cannot be started: ${error.message}`, BROKEN)))
  child.once('exit', (code, signal) => end(failed(describeDeath({ code, signal, tail: readTail(), memoryMb }), BROKEN)))
  const limitMb = memoryMb + MEMORY_BESIDE_HEAP_MB
  return watchMemory(child, limitMb, () => end(failed(`it used more than ${limitMb} MB of memory`, BROKEN)))
}

function watchTime(talk: Talk): () => void {
  const { call, end, send } = talk
  const tooSlow = () => end(failed(`its process did not start within ${START_LIMIT_MS} ms`, BROKEN))
  let timer = setTimeout(tooSlow, START_LIMIT_MS)
  const begin = async () => {
    clearTimeout(timer)
    if (!(await call.onStart())) return end(cancelled())
    timer = setTimeout(() => end(timedOut(call.timeoutMs)), call.timeoutMs)
    send({ type: 'start', start: call.start })
  }
  listenToChild(talk, () => void begin().catch((error: unknown) => end(failed(messageOf(error), BROKEN))))
  return () => clearTimeout(timer)
}

function watchSignal({ call, end, send }: Talk): () => void {
  const { signal } = call.heartbeat
  let timer: NodeJS.Timeout | undefined
  const abort = () => {
    send({ type: 'abort' })
    timer = setTimeout(() => end(cancelled()), GRACE_MS)
  }
  if (signal.aborted) end(cancelled())
  else signal.addEventListener('abort', abort, { once: true })
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Follows what the handler prints; the end of it tells why a process died. */
function followOutput(child: ChildProcess, logger: Logger): () => string {
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-MAX_TAIL)
      logger.debug({ output: text.slice(0, MAX_TAIL) }, 'the plugin printed')
    })
  }
  return () => tail
}

interface Death {
  code: number | null
  signal: NodeJS.Signals | null
  tail: string
  memoryMb: number
}

function describeDeath({ code, signal, tail, memoryMb }: Death): string {
  if (/heap out of memory|Allocation failed/.test(tail)) return `it used more than ${memoryMb} MB of memory`
  if (signal !== null) return `its process was ended by ${signal} before it gave a result`
  return `its process ended with exit code ${code} before it gave a result`
}

import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'

const MAX_TAIL = 4_096

/** Follows what the handler prints; the end of it tells why a process died. */
export function followOutput(child: ChildProcess, logger: Logger): () => string {
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-MAX_TAIL)
      logger.debug({ output: text.slice(0, MAX_TAIL) }, 'the plugin printed')
    })
  }
  return () => tail
}

export interface Death {
  code: number | null
  signal: NodeJS.Signals | null
  tail: string
  memoryMb: number
}

export function describeDeath({ code, signal, tail, memoryMb }: Death): string {
  if (/heap out of memory|Allocation failed/.test(tail)) return `it used more than ${memoryMb} MB of memory`
  if (signal !== null) return `its process was ended by ${signal} before it gave a result`
  return `its process ended with exit code ${code} before it gave a result`
}

import { randomUUID } from 'node:crypto'
import type { Egress } from '../../egress/egress'
import { ChannelFailure } from '../channel'

const OPEN_WITHIN_MS = 5_000
const MAX_FRAME = 4 * 1024 * 1024

export interface OneBotSocket {
  /** Resolves with the answer that carries the same echo; rejects when the connection ends before. */
  call(action: string, params: Record<string, unknown>): Promise<unknown>
  /** Resolves when the connection has ended, with the code that says why. */
  ended: Promise<number>
  close(): void
}

export interface SocketTarget {
  url: string
  token: string
  onEvent?: (event: unknown) => void
}

/** A forward WebSocket to a OneBot side: events come in, actions go out, answers are told by their echo. */
export async function openSocket(
  egress: Egress,
  { url, token, onEvent }: SocketTarget,
  signal: AbortSignal,
): Promise<OneBotSocket> {
  const socket = egress.openSocket(url, { authorization: `Bearer ${token}` })
  const waiting = new Map<string, { resolve(answer: unknown): void; reject(error: Error): void }>()
  const broken = (why: string, uncertain = false) => new ChannelFailure('onebot_unreachable', true, why, { uncertain })
  const ended = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => {
      for (const { reject } of waiting.values()) reject(broken(`the connection ended (${code})`, true))
      waiting.clear()
      resolve(code)
    })
  })
  socket.addEventListener('error', () => undefined)
  socket.addEventListener('message', ({ data }) => {
    const frame = parseFrame(data)
    const echo = typeof frame?.['echo'] === 'string' ? waiting.get(frame['echo']) : undefined
    if (frame && echo) waiting.delete(String(frame['echo']))
    if (echo) echo.resolve(frame)
    else if (frame?.['post_type'] !== undefined) onEvent?.(frame)
  })
  const close = () => socket.close()
  signal.addEventListener('abort', close, { once: true })
  void ended.then(() => signal.removeEventListener('abort', close))
  await opened(socket, ended)
  return {
    ended,
    close,
    call(action, params) {
      const echo = randomUUID()
      return new Promise((resolve, reject) => {
        waiting.set(echo, { resolve, reject })
        socket.send(JSON.stringify({ action, params, echo }))
      })
    },
  }

  async function opened(of: typeof socket, end: Promise<number>): Promise<void> {
    const timer = setTimeout(close, OPEN_WITHIN_MS)
    const isOpen = new Promise<true>((resolve) => of.addEventListener('open', () => resolve(true), { once: true }))
    const first = await Promise.race([isOpen, end])
    clearTimeout(timer)
    if (first !== true) throw broken('the connection cannot be opened: is the address right, and the access token?')
  }
}

function parseFrame(data: unknown): Record<string, unknown> | undefined {
  if (typeof data !== 'string' || data.length > MAX_FRAME) return undefined
  try {
    const frame: unknown = JSON.parse(data)
    return typeof frame === 'object' && frame !== null ? { ...frame } : undefined
  } catch {
    return undefined
  }
}

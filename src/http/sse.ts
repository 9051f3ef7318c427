import { setTimeout as delay } from 'node:timers/promises'
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCode } from '../errors'
import type { StreamTimings } from './http-config'
import { inOwnNames } from './session-names'

export interface SseEvent {
  event?: string
  data?: unknown
  /** Sent as it is, where data would be JSON; one line. */
  text?: string
  id?: number
}

/** A client that lets this much pile up is not reading. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const END_WITHIN_MS = 2_000

/** An open stream of server-sent events. After the client left, sending does nothing. */
export interface SseStream {
  readonly closed: AbortSignal
  send(event: SseEvent): void
  /** Resolves when the client took what was sent; one that takes nothing for too long is dropped. */
  drained(): Promise<void>
  /** True while earlier events still wait for the client. */
  isBehind(): boolean
  end(): void
}

export type OpenSse = (request: FastifyRequest, reply: FastifyReply) => SseStream

export function createSse(timings: StreamTimings): OpenSse {
  return (request, reply) => {
    const { raw } = startResponse(reply)
    const closed = new AbortController()
    raw.once('close', () => closed.abort())
    if (raw.destroyed) closed.abort()
    const write = (text: string) => {
      if (closed.signal.aborted || raw.writableEnded) return
      raw.write(text)
      if (raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy()
    }
    const stream: SseStream = {
      closed: closed.signal,
      send: (event) => write(format({ ...event, data: inOwnNames(request.caller, event.data) })),
      isBehind: () => raw.writableNeedDrain,
      async drained() {
        if (!raw.writableNeedDrain || closed.signal.aborted) return
        const stalled = setTimeout(() => raw.destroy(), timings.stallMs)
        await once(raw, 'drain', { signal: closed.signal }).catch(() => undefined)
        clearTimeout(stalled)
      },
      end() {
        raw.end()
        // Who does not read would keep the connection, and with it a closing server, open.
        setTimeout(() => raw.destroy(), END_WITHIN_MS).unref()
      },
    }
    void ping(write, timings.pingMs, closed.signal)
    void endWhenLockedOut(request, stream, timings.recheckMs)
    return stream
  }
}

/** The headers that helmet and CORS have set so far go out with ours; a stream never shares its connection. */
function startResponse(reply: FastifyReply): FastifyReply {
  const headers = reply.getHeaders()
  reply.hijack()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.shouldKeepAlive = false
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  reply.raw.write(': welcome\n\n')
  return reply
}

/** JSON holds no raw line break, so every event is one data line. */
function format({ event, data, text = JSON.stringify(data), id }: SseEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  const eventLine = event === undefined ? '' : `event: ${event}\n`
  return `${idLine}${eventLine}data: ${text}\n\n`
}

async function ping(write: (text: string) => void, everyMs: number, closed: AbortSignal): Promise<void> {
  while (await passed(everyMs, closed)) write(': ping\n\n')
}

/** Ends the stream soon after its key was revoked or its token ended. A database that is away says nothing of that. */
async function endWhenLockedOut(request: FastifyRequest, stream: SseStream, everyMs: number): Promise<void> {
  while (await passed(everyMs, stream.closed)) {
    const failure = await request.authenticate().then(() => undefined, errorCode)
    if (failure === 'unauthorized') stream.end()
  }
}

/** Waits; false when the stream closed meanwhile. */
async function passed(ms: number, closed: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal: closed, ref: false }).catch(() => undefined)
  return !closed.aborted
}

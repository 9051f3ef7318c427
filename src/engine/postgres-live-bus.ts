import { Client } from 'pg'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { SESSION_CHANNEL } from '../contracts/event'
import type { DeltaData } from '../contracts/event'
import { messageOf } from '../errors'
import type { LiveBus, LiveWatcher } from './live-bus'
import { storableText } from './storable'
import { backOffMs } from './waiting'

const DELTA_CHANNEL = 'punctual_delta'
/** A NOTIFY payload holds less than 8,000 bytes, with the key and the turn's id before the text. */
const DELTA_BYTES = 6_000
const DELTA_FLUSH_MS = 40
const CHECK_EVERY_MS = 15_000
const BACK_OFF = { firstMs: 100, longestMs: 2_000 }

export interface LiveBusOptions {
  connectionString: string
  pool: Pool
  logger: Logger
}

/** LISTEN on one connection of its own; after a break it listens again and wakes everybody, since it may have missed calls. */
export async function createPostgresLiveBus({ connectionString, pool, logger }: LiveBusOptions): Promise<LiveBus> {
  const watchers = new Map<string, Set<LiveWatcher>>()
  const deltas = createDeltaSender(pool)
  let closed = false
  let client: Client | undefined
  let attempts = 0
  let retry: NodeJS.Timeout | undefined

  const wakeAll = () => watchers.forEach((set) => set.forEach((watcher) => watcher.onWake()))

  function receive(channel: string, payload = ''): void {
    if (channel === SESSION_CHANNEL) watchers.get(payload)?.forEach((watcher) => watcher.onWake())
    if (channel !== DELTA_CHANNEL) return
    const separator = payload.indexOf('\n')
    const watching = watchers.get(payload.slice(0, separator))
    if (!watching) return
    const delta = JSON.parse(payload.slice(separator + 1)) as DeltaData
    watching.forEach((watcher) => watcher.onDelta?.(delta))
  }

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    next.on('error', () => undefined)
    next.on('notification', (message) => receive(message.channel, message.payload))
    await next.connect()
    await next.query(`LISTEN ${SESSION_CHANNEL}; LISTEN ${DELTA_CHANNEL}`)
    next.once('end', () => reconnectLater('connection ended'))
    client = next
    attempts = 0
    wakeAll()
  }

  function reconnectLater(reason: string): void {
    if (closed || retry) return
    const delay = backOffMs(++attempts, BACK_OFF)
    logger.warn({ reason, delay }, 'the live bus listens again')
    retry = setTimeout(() => {
      retry = undefined
      connect().catch((error: unknown) => reconnectLater(messageOf(error)))
    }, delay)
  }

  // A black-holed connection ends no other way: ask it something, and drop it when it does not answer.
  const check = setInterval(() => {
    const current = client
    current?.query('SELECT 1').catch(() => void current.end().catch(() => undefined))
  }, CHECK_EVERY_MS)

  await connect()
  return {
    subscribe(sessionKey, watcher) {
      const set = watchers.get(sessionKey) ?? new Set()
      watchers.set(sessionKey, set.add(watcher))
      return () => {
        set.delete(watcher)
        if (set.size === 0 && watchers.get(sessionKey) === set) watchers.delete(sessionKey)
      }
    },
    publishDelta: deltas.add,
    flushDeltas: deltas.flush,
    async close() {
      closed = true
      clearInterval(check)
      clearTimeout(retry)
      await deltas.flush()
      await client?.end().catch(() => undefined)
    },
  }
}

/** Joins the model's small pieces for a moment, so that a fast stream costs a few notifications and not hundreds. */
function createDeltaSender(pool: Pool) {
  const waiting = new Map<string, DeltaData>()
  let timer: NodeJS.Timeout | undefined
  let sent: Promise<void> = Promise.resolve()

  /** One batch after the other, so that they arrive in the order they were written. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sent = sent.then(sendWaiting)
    return sent
  }

  async function sendWaiting(): Promise<void> {
    const batch = [...waiting]
    waiting.clear()
    const payloads = batch.flatMap(([sessionKey, delta]) =>
      pieces(delta.text).map((text) => `${sessionKey}\n${JSON.stringify({ turn_id: delta.turn_id, text })}`),
    )
    if (payloads.length === 0) return
    // Deltas may be lost; the message they foretell is a row.
    await pool
      .query(`SELECT pg_notify('${DELTA_CHANNEL}', p) FROM unnest($1::text[]) AS p`, [payloads])
      .catch(() => undefined)
  }

  function add(sessionKey: string, delta: DeltaData): void {
    const before = waiting.get(sessionKey)
    const text = before?.turn_id === delta.turn_id ? before.text + delta.text : delta.text
    waiting.set(sessionKey, { turn_id: delta.turn_id, text })
    timer ??= setTimeout(() => void flush(), DELTA_FLUSH_MS)
  }
  return { add, flush }
}

/** Pieces whose JSON fits; a character may take twelve bytes there. */
function pieces(text: string): string[] {
  const found: string[] = []
  let piece = ''
  let bytes = 0
  for (const character of storableText(text)) {
    const more = Buffer.byteLength(JSON.stringify(character)) - 2
    if (bytes + more > DELTA_BYTES) {
      found.push(piece)
      piece = ''
      bytes = 0
    }
    piece += character
    bytes += more
  }
  return piece === '' ? found : [...found, piece]
}

import { badRequest } from '../errors'
import type { LiveBus } from '../engine/live-bus'
import { createWakeSignal } from '../engine/waiting'
import { scopedKey } from '../contracts/session-key'
import type { EventStore } from '../engine/event-store'
import type { SeenSession } from './session'
import type { SseStream } from '../http/sse'

const PAGE = 200
/** A lost wake-up costs at most this long. */
const LOOK_ANYWAY_MS = 10_000

export interface StreamStart {
  after: number
  /** The asked id is older than what is kept, or beyond the end: the client must read the history anew. */
  resync: boolean
}

/** Rows that a stream shows, in the order of their numbers. */
export interface RowReader {
  after(key: string, seq: number, limit: number): Promise<Row[]>
}

interface Row {
  seq: number
  name: string
  data: object
}

export async function findStart(
  events: EventStore,
  sessionKey: string,
  asked: { lastEventId: string | undefined; from: 'start' | 'now' | undefined },
): Promise<StreamStart> {
  const { first, last } = await events.bounds(sessionKey)
  const present = { after: last, resync: false }
  if (asked.lastEventId === undefined) return asked.from === 'start' ? { after: 0, resync: false } : present
  const after = parseEventId(asked.lastEventId)
  if (after === last) return present
  const kept = first > 0 && after >= first - 1 && after < last
  return kept ? { after, resync: false } : { after: last, resync: true }
}

/** Of a session that is not there yet everything is shown. */
export function startOfNew({ lastEventId }: { lastEventId: string | undefined }): StreamStart {
  if (lastEventId !== undefined) parseEventId(lastEventId)
  return { after: 0, resync: lastEventId !== undefined }
}

function parseEventId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badRequest('bad_event_id', 'the last event id is not a number of this stream')
}

/** Shows the rows of a session, and waits for one that is still to be made. */
export async function followSession(
  stream: SseStream,
  source: { events: RowReader; live: LiveBus },
  how: { meant: SeenSession; look(): Promise<SeenSession>; start: StreamStart },
): Promise<void> {
  const { meant } = how
  if (meant.isStored) return followRows(stream, source, meant.sessionKey, how.start)
  const news = createWakeSignal()
  const keys = [meant.sessionKey, scopedKey(meant.botUuid, meant.sessionKey)]
  const subscriptions = keys.map((key) => source.live.subscribe(key, { onWake: news.wake }))
  try {
    while (!stream.closed.aborted) {
      const seen = await how.look()
      if (seen.isStored) return await followRows(stream, source, seen.sessionKey, how.start)
      await news.wait(LOOK_ANYWAY_MS, stream.closed)
    }
  } finally {
    subscriptions.forEach((unsubscribe) => unsubscribe())
  }
}

/**
 * Rows in order, each once: what is there in pages, then what comes. The watcher is in place before the first page is
 * read, and a wake-up during a look is remembered, so nothing falls between.
 */
export async function followRows(
  stream: SseStream,
  source: { events: RowReader; live: LiveBus; isLast?: (row: Row) => boolean },
  key: string,
  { after, resync }: StreamStart,
): Promise<void> {
  const { events, live, isLast = () => false } = source
  const news = createWakeSignal()
  let caughtUp = false
  const unsubscribe = live.subscribe(key, {
    onWake: news.wake,
    // Text as it is written only helps who is up to date; who is behind gets the finished message.
    onDelta: (delta) => {
      if (caughtUp && !stream.isBehind()) stream.send({ event: 'delta', data: delta })
    },
  })
  try {
    if (resync) stream.send({ event: 'resync', id: after, data: { last_event_id: after } })
    let cursor = after
    while (!stream.closed.aborted) {
      const page = await events.after(key, cursor, PAGE)
      cursor = await sendAll(stream, page, cursor)
      if (page.some(isLast)) return
      caughtUp = page.length < PAGE
      if (caughtUp) await news.wait(LOOK_ANYWAY_MS, stream.closed)
    }
  } finally {
    unsubscribe()
  }
}

async function sendAll(stream: SseStream, page: Row[], cursor: number): Promise<number> {
  for (const event of page) {
    stream.send({ event: event.name, id: event.seq, data: event.data })
    await stream.drained()
  }
  return page.at(-1)?.seq ?? cursor
}

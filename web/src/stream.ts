import { ApiError, request, sessionPath } from './api'

export interface StreamEvent {
  name: string
  data: unknown
  id: string | undefined
}

/** The server pings every 15 s: silence for longer means that the connection is dead. */
const SILENCE_MS = 40_000

/** Reads server-sent events until the stream ends; EventSource cannot send a token, so the body is read by hand. */
export async function readEvents(answer: Response, onEvent: (event: StreamEvent) => void): Promise<void> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse(block)
      if (event) onEvent(event)
    }
  }
}

function parse(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const name = fields.get('event')
  if (!name) return undefined
  return { name, data: JSON.parse(fields.get('data') ?? 'null'), id: fields.get('id') }
}

export interface Follower {
  /** Each time the stream is open: `resumed` when it goes on after the last event that was seen. */
  onOpen(resumed: boolean): Promise<void> | void
  onEvent(event: StreamEvent): void
  onLost(): void
  /** The session is not there for this person (any more). */
  onRefused(error: ApiError): void
}

const RETRY_MS = [300, 1_000, 2_000, 4_000]

/** Follows a session until it is told to stop, over any number of connections, and misses and repeats nothing. */
export function followSession(key: string, follower: Follower, from?: 'start'): () => void {
  const stop = new AbortController()
  let lastId: string | undefined
  let hurry: () => void = () => undefined
  const wake = () => hurry()

  async function connectOnce(): Promise<void> {
    const path = `${sessionPath(key)}/events${lastId === undefined && from ? `?from=${from}` : ''}`
    const headers = lastId === undefined ? undefined : { 'last-event-id': lastId }
    const answer = await request(path, { accept: 'text/event-stream', headers, signal: stop.signal })
    const resumed = lastId !== undefined
    void follower.onOpen(resumed)
    await readEvents(answer, (event) => {
      if (event.id !== undefined) lastId = event.id
      follower.onEvent(event)
    })
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stop.signal.aborted; failures++) {
      try {
        await connectOnce()
        failures = 0
      } catch (error) {
        if (stop.signal.aborted) return
        const refused = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
        if (refused) return follower.onRefused(error)
      }
      if (stop.signal.aborted) return
      follower.onLost()
      await new Promise<void>((resolve) => {
        hurry = resolve
        setTimeout(resolve, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)])
      })
    }
  }

  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  void run()
  return () => {
    stop.abort()
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
  }
}

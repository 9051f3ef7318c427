import type { FastifyInstance } from 'fastify'

export interface ReadEvent {
  event: string
  data: unknown
  id?: number
}

export function readEvents(text: string): ReadEvent[] {
  return text
    .split('\n\n')
    .filter((block) => /^(event|id):/.test(block))
    .map(readEvent)
}

function readEvent(block: string): ReadEvent {
  const lines = block.split('\n')
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const id = field('id')
  const data: unknown = JSON.parse(field('data') ?? 'null')
  return { event: field('event') ?? 'message', data, ...(id === undefined ? {} : { id: Number(id) }) }
}

/** Follows a stream of a listening app and remembers what came. */
export class SseClient {
  readonly ended: Promise<void>
  status = 0
  readonly events: ReadEvent[] = []
  private pending = ''
  private readonly abort = new AbortController()

  constructor(url: string, headers: Record<string, string>) {
    this.ended = this.follow(url, headers).catch(() => undefined)
  }

  get ids(): number[] {
    return this.events.flatMap(({ id }) => (id === undefined ? [] : [id]))
  }

  /** Leaves like a lost connection: without a word. */
  leave(): Promise<void> {
    this.abort.abort()
    return this.ended
  }

  private async follow(url: string, headers: Record<string, string>): Promise<void> {
    const answer = await fetch(url, { headers, signal: this.abort.signal })
    this.status = answer.status
    const decoder = new TextDecoder()
    for await (const bytes of answer.body ?? []) this.take(decoder.decode(bytes as Uint8Array, { stream: true }))
  }

  /** An event that was cut in the middle never happened. */
  private take(text: string): void {
    const blocks = (this.pending + text).split('\n\n')
    this.pending = blocks.pop() ?? ''
    this.events.push(...readEvents(blocks.join('\n\n')))
  }
}

export async function until(condition: () => boolean, withinMs = 8_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 })
}

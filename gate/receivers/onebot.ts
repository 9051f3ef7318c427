import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { Book } from './book'

interface Frame {
  action: string
  params: Record<string, unknown>
  echo: string
}

const SELF_ID = 10_001

/** A OneBot v11 side with the forward WebSocket, for every token. */
export function createOneBotReceiver(book: Book): {
  server: Server
  say(token: string, message: { from: number; text: string }): void
  cut(): void
} {
  const server = createServer((_request, response) => void response.writeHead(426).end())
  const sockets = new WebSocketServer({ server })
  const tokens = new Map<WebSocket, string>()
  let numbers = 500

  function textOf(params: Record<string, unknown>): string {
    const segments = (Array.isArray(params['message']) ? params['message'] : []) as { data?: { text?: string } }[]
    return segments.map(({ data }) => data?.text ?? '').join('')
  }

  async function act(socket: WebSocket, { action, params, echo }: Frame): Promise<void> {
    const ok = (data: unknown) => socket.send(JSON.stringify({ status: 'ok', retcode: 0, data, echo }))
    if (!action.startsWith('send_')) return ok({ user_id: SELF_ID, nickname: 'gate', online: true, good: true })
    const step = book.next('onebot', textOf(params))
    book.write(
      { channel: 'onebot', id: null, to: String(params['user_id'] ?? params['group_id']), text: textOf(params) },
      step,
    )
    if (step.kind === 'cut') return socket.terminate()
    if (step.kind === 'hang') return
    if (step.kind === 'delay') await sleep(step.ms)
    if (step.kind === 'status' && step.status >= 300)
      return socket.send(JSON.stringify({ status: 'failed', retcode: step.status, wording: 'scripted', echo }))
    ok({ message_id: (numbers += 1) })
  }

  sockets.on('connection', (socket: WebSocket, request) => {
    tokens.set(socket, (request.headers.authorization ?? '').replace('Bearer ', ''))
    socket.on('close', () => tokens.delete(socket)).on('error', () => undefined)
    socket.on('message', (data: Buffer) => void act(socket, JSON.parse(data.toString()) as Frame))
    socket.send(JSON.stringify({ post_type: 'meta_event', meta_event_type: 'lifecycle', self_id: SELF_ID, time: 0 }))
  })
  return {
    server,
    say(token, { from, text }) {
      numbers += 1
      const who = { user_id: from, sender: { user_id: from, nickname: `Person ${from}` }, self_id: SELF_ID }
      const what = { post_type: 'message', message_type: 'private', message: [{ type: 'text', data: { text } }] }
      const event = { time: 0, message_id: numbers, raw_message: text, ...who, ...what }
      for (const [socket, owner] of tokens) if (owner === token) socket.send(JSON.stringify(event))
    },
    cut: () => sockets.clients.forEach((socket) => socket.terminate()),
  }
}

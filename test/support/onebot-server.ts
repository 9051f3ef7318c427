import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'

export const ACCESS_TOKEN = 'a-token-of-onebot-0123456789'
export const SELF_ID = 10_001

export interface OneBotCall {
  action: string
  params: Record<string, unknown>
  over: 'ws' | 'http'
}

type Answer = { status: string; retcode: number; data?: unknown; wording?: string }

/** A OneBot v11 side as NapCat is one: forward WebSocket and HTTP on one port, every action written down. */
export interface OneBotServer {
  wsUrl: string
  httpUrl: string
  calls: OneBotCall[]
  sent(): OneBotCall[]
  /** Tells an event to whoever listens; answers how many did. */
  emit(event: object): number
  /** The next sends are answered like this. */
  refuse(...answers: Answer[]): void
  /** Cuts every connection, as a restart does. */
  cut(): void
  connections(): number
  close(): Promise<void>
}

export async function startOneBotServer(): Promise<OneBotServer> {
  const calls: OneBotCall[] = []
  const refusals: Answer[] = []
  let numbers = 500

  function act(action: string, params: Record<string, unknown>, over: OneBotCall['over']): Answer {
    calls.push({ action, params, over })
    if (action === 'get_login_info') return { status: 'ok', retcode: 0, data: { user_id: SELF_ID, nickname: 'bot' } }
    if (action === 'mark_group_msg_as_read') return { status: 'ok', retcode: 0 }
    if (!/^(send|upload)_/.test(action)) return { status: 'failed', retcode: 1404, wording: 'no such action' }
    return refusals.shift() ?? { status: 'ok', retcode: 0, data: { message_id: (numbers += 1) } }
  }

  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const allowed = request.headers.authorization === `Bearer ${ACCESS_TOKEN}`
      const answer =
        allowed && act((request.url ?? '/').slice(1), JSON.parse(body || '{}') as Record<string, unknown>, 'http')
      response.writeHead(allowed ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer || {}))
    })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket: WebSocket, request) => {
    if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) {
      socket.send(JSON.stringify({ status: 'failed', retcode: 1403, data: null }))
      return socket.close(1008)
    }
    socket.send(JSON.stringify({ post_type: 'meta_event', meta_event_type: 'lifecycle', self_id: SELF_ID }))
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString()) as {
        action: string
        params: Record<string, unknown>
        echo: string
      }
      socket.send(JSON.stringify({ ...act(frame.action, frame.params, 'ws'), echo: frame.echo }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    wsUrl: `ws://127.0.0.1:${port}`,
    httpUrl: `http://127.0.0.1:${port}`,
    calls,
    sent: () => calls.filter(({ action }) => action.startsWith('send_')),
    emit(event) {
      for (const socket of sockets.clients) socket.send(JSON.stringify({ time: 0, self_id: SELF_ID, ...event }))
      return sockets.clients.size
    },
    refuse: (...answers) => void refusals.push(...answers),
    cut: () => sockets.clients.forEach((socket) => socket.terminate()),
    connections: () => sockets.clients.size,
    async close() {
      sockets.clients.forEach((socket) => socket.terminate())
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

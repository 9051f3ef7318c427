import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { answer } from './answer'
import type { Book } from './book'

interface Update {
  update_id: number
  message: object
}

/** The Bot API as far as a bot needs it: every bot whose token has the right form is known. */
export function createTelegramReceiver(book: Book): {
  server: Server
  say(token: string, message: { from: number; chat?: number; text: string }): void
} {
  const queues = new Map<string, Update[]>()
  const polls = new Map<string, Set<() => void>>()
  const listOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
    const found = map.get(key) ?? make()
    map.set(key, found)
    return found
  }
  let numbers = 1_000

  async function getUpdates(token: string, fields: Record<string, unknown>, request: IncomingMessage) {
    const queue = listOf(queues, token, () => [])
    while (queue[0] && queue[0].update_id < Number(fields['offset'] ?? 0)) queue.shift()
    if (queue.length > 0) return [...queue]
    const waiting = listOf(polls, token, () => new Set())
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, 1_000 * Number(fields['timeout'] ?? 0))
      waiting.add(end)
      request.socket.once('close', end)
    })
    return [...queue]
  }

  async function control(token: string, method: string, fields: Record<string, unknown>, request: IncomingMessage) {
    if (method === 'getMe') {
      const id = Number(token.split(':')[0])
      return { id, is_bot: true, first_name: 'Gate', username: `gate_${id}_bot` }
    }
    if (method === 'getUpdates') return getUpdates(token, fields, request)
    return method === 'getWebhookInfo' ? { url: '' } : true
  }

  const server = createServer((request, response) => {
    void readText(request).then(
      async (body) => {
        const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
        const fields = (body.startsWith('{') ? JSON.parse(body) : {}) as Record<string, unknown>
        if (!method.startsWith('send')) {
          const result = await control(token, method, fields, request)
          return void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ ok: true, result }))
        }
        const step = book.next('telegram', String(fields['text']))
        const to = String(fields['chat_id'])
        if (method !== 'sendChatAction')
          book.write({ channel: 'telegram', id: null, to, text: String(fields['text']) }, step)
        const result = { message_id: (numbers += 1), date: 0, chat: { id: Number(to), type: 'private' } }
        await answer({ request, response, step }, (status) => ({
          status,
          body:
            status < 300 ? { ok: true, result } : { ok: false, error_code: status, description: `scripted ${status}` },
        }))
      },
      () => undefined,
    )
  })
  return {
    server,
    say(token, { from, chat = from, text }) {
      numbers += 1
      const person = { id: from, is_bot: false, first_name: `Person ${from}` }
      const place = chat < 0 ? { id: chat, type: 'supergroup', title: 'Team' } : { id: chat, type: 'private' }
      const message = { message_id: numbers, date: 0, from: person, chat: place, text }
      listOf(queues, token, () => []).push({ update_id: numbers, message })
      polls.get(token)?.forEach((wake) => wake())
    },
  }
}

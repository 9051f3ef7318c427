import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'

/**
 * The world that the old version speaks to: a receiver of webhooks that is open at /open and out of order at /closed, the
 * Bot API of Telegram at /telegram, and a GitHub at /github that never answers.
 */
export async function startOutside() {
  const updates = []
  const received = []
  let numbers = 100

  async function answer(request) {
    const body = await readText(request)
    const { pathname } = new URL(request.url, 'http://outside')
    if (pathname.startsWith('/github')) return undefined
    if (pathname === '/closed') return body.includes('not taken') ? [400, {}] : [503, {}]
    received.push({ pathname, body })
    if (!pathname.startsWith('/telegram/')) return [200, {}]
    return [200, { ok: true, result: await telegram(pathname.split('/').at(-1), body === '' ? {} : JSON.parse(body)) }]
  }

  async function telegram(method, fields) {
    if (method === 'getMe') return { id: 4242, is_bot: true, first_name: 'Punctual', username: 'punctual_bot' }
    if (method === 'getWebhookInfo') return { url: '' }
    if (method === 'getUpdates') return poll(Number(fields.offset ?? 0), Number(fields.timeout ?? 0))
    if (method.startsWith('send')) return { message_id: ++numbers, date: 0, chat: { id: Number(fields.chat_id) } }
    return true
  }

  async function poll(offset, seconds) {
    for (let waited = 0; waited < seconds * 10; waited += 1) {
      const waiting = updates.filter(({ update_id: id }) => id >= offset)
      if (waiting.length > 0) return waiting
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return []
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (answered) => answered && response.writeHead(answered[0], JSON_TYPE).end(JSON.stringify(answered[1])),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${server.address().port}`
  return {
    host,
    url: `http://${host}`,
    received,
    /** A person writes to the bot on Telegram. */
    write(text) {
      const number = ++numbers
      const from = { id: 77, is_bot: false, first_name: 'Mia' }
      const chat = { id: 77, type: 'private', first_name: 'Mia' }
      updates.push({ update_id: number, message: { message_id: number, date: 0, from, chat, text } })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

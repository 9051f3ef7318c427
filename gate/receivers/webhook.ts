import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { answer } from './answer'
import type { Book } from './book'

/** Takes what is signed by a secret that it trusts; all else is 401 and not in the book. */
export function createWebhookReceiver(book: Book): { server: Server; trust(secrets: string[]): void } {
  let trusted: string[] = []
  const isSigned = (body: string, headers: Record<string, string>) =>
    trusted.some((secret) => {
      try {
        new Webhook(secret).verify(body, headers)
        return true
      } catch {
        return false
      }
    })
  const server = createServer((request, response) => {
    void readText(request).then(
      async (body) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        )
        if (!isSigned(body, headers)) return void response.writeHead(401).end()
        const message = JSON.parse(body) as { text?: string; session_key?: string }
        const step = book.next('webhook', message.text ?? '')
        const id = headers['webhook-id'] ?? ''
        book.write({ channel: 'webhook', id, to: message.session_key ?? '', text: message.text ?? '' }, step)
        await answer({ request, response, step }, (status) => ({ status, body: { id } }))
      },
      () => undefined,
    )
  })
  return { server, trust: (secrets) => void (trusted = [...trusted, ...secrets]) }
}

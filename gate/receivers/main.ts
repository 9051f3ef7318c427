import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBook } from './book'
import type { Order } from './book'
import { createOneBotReceiver } from './onebot'
import { createTelegramReceiver } from './telegram'
import { createWebhookReceiver } from './webhook'

/** The platforms, in a process of their own: it outlives every kill of the product and ends with who asked for it. */
async function main(): Promise<void> {
  const book = openBook(process.argv[2] ?? 'ledger.jsonl')
  const webhook = createWebhookReceiver(book)
  const telegram = createTelegramReceiver(book)
  const onebot = createOneBotReceiver(book)
  process.on('message', ({ number, behave, trust, say, sockets }: Order) => {
    if (behave) book.behave(behave.channel, behave.steps)
    if (trust) webhook.trust(trust)
    if (say?.channel === 'telegram') telegram.say(say.token, say)
    if (say?.channel === 'onebot') onebot.say(say.token, say)
    if (sockets === 'cut') onebot.cut()
    process.send?.({ done: number })
  })
  process.on('disconnect', () => process.exit(0))
  const ports = await Promise.all([webhook.server, telegram.server, onebot.server].map(listen))
  process.send?.({ ports })
}

function listen(server: Server): Promise<number> {
  server.keepAliveTimeout = 60_000
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

void main()

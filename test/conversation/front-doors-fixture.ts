import type { Product } from '../support/product'
import { ADMIN } from '../support/product'
import { settingsOf, startProcess } from '../support/processes'
import type { ProductProcess } from '../support/processes'

export interface ChatReply {
  status: number
  code: number | string
  content: string
}

/** Two front doors as processes of their own on one database, and a key that both accept. */
export async function openTwoFrontDoors(product: Product) {
  const { key } = await product.parts.access.createApiKey(ADMIN, { name: 'test', scopes: ['send'], botUuids: [] })
  const open = () => startProcess('server', settingsOf(product))
  const doors = await Promise.all([open(), open()])
  return { doors, key, chat: (door: ProductProcess, body: ChatBody) => chat(door, key, body) }
}

export interface ChatBody {
  message: string
  session_key: string
  bot_uuid?: string
}

async function chat(door: ProductProcess, key: string, body: ChatBody): Promise<ChatReply> {
  const answer = await fetch(`${door.url}/api/ai/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  })
  const envelope = (await answer.json()) as { code: number | string; data?: { content?: string } | null }
  return { status: answer.status, code: envelope.code, content: envelope.data?.content ?? '' }
}

import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../../src/dependencies'
import { createApp } from '../../src/http/app'
import { frontDoor } from '../../src/server'
import { HTTP_CONFIG } from '../http/support'
import type { Product } from '../support/product'
import { ADMIN } from '../support/product'

/** The product's HTTP side as it is served, on parts of its own. */
export const openDoor = (parts: Dependencies): Promise<FastifyInstance> => createApp(frontDoor(parts), HTTP_CONFIG)

export async function addKey({ parts, botUuid }: Product): Promise<string> {
  const wanted = { name: 'test', scopes: ['send'] as const, botUuids: [botUuid] }
  return (await parts.access.createApiKey(ADMIN, wanted)).key
}

export interface Pushed {
  status: number
  retryAfter: string | undefined
  message: string
  data: {
    message: string
    session_key: string
    status: string
    message_id: number | null
    scheduled_message_id: string | null
    send_at: string | null
  }
  error?: { code: string }
}

export interface PushWish {
  target_id: string
  message?: unknown
  target_type?: string
  urgent?: boolean
  bot_uuid?: string
}

/** Pushes through one of the doors. */
export async function pushBy(
  app: FastifyInstance,
  { key, botUuid, idempotencyKey }: { key: string; botUuid: string; idempotencyKey?: string },
  wish: PushWish,
): Promise<Pushed> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/messages/send',
    headers: { 'x-api-key': key, ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }) },
    payload: { bot_uuid: botUuid, target_type: 'person', message: 'hello', ...wish },
  })
  const body = answer.json<Pushed>()
  return { ...body, status: answer.statusCode, retryAfter: answer.headers['retry-after'] }
}

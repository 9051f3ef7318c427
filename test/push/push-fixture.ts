import type { FastifyInstance } from 'fastify'

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
  channel?: string | undefined
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
    payload: { bot_uuid: botUuid, target_type: 'person', channel: 'web', message: 'hello', ...wish },
  })
  const body = answer.json<Pushed>()
  return { ...body, status: answer.statusCode, retryAfter: answer.headers['retry-after'] }
}

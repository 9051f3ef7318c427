import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DELIVERY_STATES } from '../../contracts/delivery'
import type { Delivery } from '../../contracts/delivery'
import { callerOf } from '../../http/auth'
import type { SessionDirectory } from '../../conversation/session-directory'
import type { DeliveryStore } from '../outgoing'
import { keyNamed } from '../../conversation'
import { Id, Nullable } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema } from '../../http/schemas/envelope'

const View = Type.Object({
  id: Type.String(),
  message_id: Nullable(Type.Integer({ description: 'Null until a promised message is sent.' })),
  scheduled_message_id: Nullable(Type.String({ description: 'The promise that it keeps.' })),
  session_key: Type.String(),
  bot_uuid: Type.String(),
  channel: Type.String(),
  state: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer(),
  platform_message_ids: Type.Array(Type.String()),
  degraded: Nullable(Type.String({ description: 'What the platform could not show and got as text.' })),
  last_error: Nullable(Type.String()),
  possible_duplicate: Type.Boolean(),
  created_at: Type.String(),
  ended_at: Nullable(Type.String()),
})

const list = {
  operationId: 'listDeliveries',
  summary: 'Messages on their way to a platform, newest first, with receipts and failures',
  tags: ['channels'],
  querystring: Type.Object({
    session_key: Type.Optional(Id(512)),
    state: Type.Optional(Type.Enum(DELIVERY_STATES)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  response: { 200: successSchema(Type.Object({ deliveries: Type.Array(View) })), ...GUARDED, ...failures(404) },
}

export function deliveryRoutes({
  sessions,
  deliveries,
}: {
  sessions: SessionDirectory
  deliveries: Pick<DeliveryStore, 'list'>
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/deliveries', { schema: list, config: { auth: 'read' } }, async (request) => {
      const { session_key: name, state, limit = 50 } = request.query
      const caller = callerOf(request)
      const sessionKey = await keyNamed(sessions, caller, name)
      const found = await deliveries.list({ bots: caller.bots, sessionKey, state, limit })
      return success({ deliveries: found.map(show) })
    })
  }
}

const show = (delivery: Delivery) => ({
  id: delivery.id,
  message_id: delivery.messageId,
  scheduled_message_id: delivery.scheduledMessageId,
  session_key: delivery.sessionKey,
  bot_uuid: delivery.botUuid,
  channel: delivery.channel,
  state: delivery.state,
  attempts: delivery.attempts,
  platform_message_ids: delivery.platformMessageIds,
  degraded: delivery.degraded,
  last_error: delivery.lastError,
  possible_duplicate: delivery.possibleDuplicate,
  created_at: delivery.createdAt.toISOString(),
  ended_at: delivery.endedAt?.toISOString() ?? null,
})

import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { GUARDED, success, successSchema } from '../schemas/envelope'
import { parseInstant, Window } from '../schemas/time-window'

const { due_from: dueFrom, due_to: dueTo, limit } = Window

const schema = {
  operationId: 'listPromises',
  summary: 'Everything due, of every kind, by due time',
  tags: ['promises'],
  querystring: Type.Object({
    session_key: Type.Optional(Type.String({ maxLength: 512 })),
    state: Type.Optional(Type.String({ maxLength: 40, examples: ['pending', 'sent', 'cancelled', 'failed'] })),
    due_from: dueFrom,
    due_to: dueTo,
    limit,
  }),
  response: {
    200: successSchema(
      Type.Object({
        promises: Type.Array(
          Type.Object({
            kind: Type.String({ examples: ['scheduled_message'] }),
            id: Type.String(),
            session_key: Type.String(),
            bot_uuid: Type.String(),
            due_at: Type.String({ format: 'date-time' }),
            state: Type.String(),
            summary: Type.String(),
            workflow_id: Type.String(),
            late_by_ms: Type.Union([Type.Integer(), Type.Null()]),
          }),
        ),
        count: Type.Integer(),
      }),
    ),
    ...GUARDED,
  },
}

export function promiseRoutes({ promises }: FrontDoor): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/promises', { schema, config: { auth: 'read' } }, async (request) => {
      const { session_key: sessionKey, state, due_from: from, due_to: to, limit: most = 50 } = request.query
      const window = { dueFrom: parseInstant('due_from', from), dueTo: parseInstant('due_to', to) }
      const found = await promises.list({ bots: callerOf(request).bots, sessionKey, state, ...window, limit: most })
      return success({
        promises: found.map((item) => ({ ...item, due_at: item.due_at.toISOString() })),
        count: found.length,
      })
    })
  }
}

import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { Id } from '../schemas/chat'
import { GUARDED, success, successSchema } from '../schemas/envelope'
import { SessionView, showSession } from '../schemas/session'

const MOST = 200

const schema = {
  operationId: 'listSessions',
  summary: 'Sessions of the bots you may see, the last used first',
  tags: ['sessions'],
  querystring: Type.Object({
    bot_uuid: Type.Optional(Id(255)),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: `50 unless told; ${MOST} at most.` })),
  }),
  response: {
    200: successSchema(Type.Object({ sessions: Type.Array(SessionView), count: Type.Integer() })),
    ...GUARDED,
  },
}

export function sessionRoutes({ sessions }: FrontDoor): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/sessions', { schema, config: { auth: 'read' } }, async (request) => {
      const { bot_uuid: botUuid, limit = 50 } = request.query
      const found = await sessions.list(callerOf(request), { limit: Math.min(limit, MOST), botUuid })
      return success({ sessions: found.map(showSession), count: found.length })
    })
  }
}

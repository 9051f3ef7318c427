import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Session } from '../../contracts/session'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { Id, Nullable } from '../schemas/chat'
import { GUARDED, success, successSchema } from '../schemas/envelope'

const MOST = 200

const SessionView = Type.Object({
  session_key: Type.String(),
  bot_uuid: Type.String(),
  channel: Type.String(),
  launcher_type: Type.String(),
  launcher_id: Type.String(),
  pipeline_uuid: Nullable(Type.String()),
  timezone: Type.String(),
  language: Nullable(Type.String()),
  title: Nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
})

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

function showSession(session: Session) {
  return {
    session_key: session.sessionKey,
    bot_uuid: session.botUuid,
    channel: session.channel,
    launcher_type: session.launcherType,
    launcher_id: session.launcherId,
    pipeline_uuid: session.pipelineUuid,
    timezone: session.timezone,
    language: session.language,
    title: session.title,
    created_at: session.createdAt.toISOString(),
    updated_at: session.updatedAt.toISOString(),
  }
}

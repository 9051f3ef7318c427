import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../http/auth'
import type { SessionDirectory } from '../session-directory'
import { Id } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema } from '../../http/schemas/envelope'
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

const Key = Type.Object({ key: Id(512) })

const remove = {
  operationId: 'deleteSession',
  summary: 'Delete a session with all that was said and promised in it',
  description:
    'A session with automations is not deleted: the answer names them. With `delete_automations=true` both are removed.',
  tags: ['sessions'],
  params: Key,
  querystring: Type.Object({ delete_automations: Type.Optional(Type.Boolean({ default: false })) }),
  response: {
    200: successSchema(
      Type.Object({
        deleted: Type.Boolean(),
        blocked_by_automations: Type.Optional(Type.Boolean()),
        automations: Type.Optional(
          Type.Array(Type.Object({ id: Type.String(), name: Type.String(), enabled: Type.Boolean() })),
        ),
      }),
    ),
    ...GUARDED,
    ...failures(404),
  },
}

export function sessionRoutes({ sessions }: { sessions: SessionDirectory }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/sessions', { schema, config: { auth: 'read' } }, async (request) => {
      const { bot_uuid: botUuid, limit = 50 } = request.query
      const found = await sessions.list(callerOf(request), { limit: Math.min(limit, MOST), botUuid })
      return success({ sessions: found.map(showSession), count: found.length })
    })

    app.delete('/api/v1/sessions/:key', { schema: remove, config: { auth: 'send' } }, async (request) => {
      const { delete_automations: deleteAutomations = false } = request.query
      const outcome = await sessions.delete(callerOf(request), request.params.key, { deleteAutomations })
      if (outcome.deleted) return success({ deleted: true })
      const automations = outcome.automations.map(({ id, name, state }) => ({ id, name, enabled: state === 'active' }))
      return success({ deleted: false, blocked_by_automations: true, automations })
    })
  }
}

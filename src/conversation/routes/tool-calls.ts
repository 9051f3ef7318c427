import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../http/auth'
import type { SessionDirectory } from '../session-directory'
import type { ToolCallStore } from '../sql/tool-call-store'
import { ToolCallView } from '../schemas/tool-call'
import { Id } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema } from '../../http/schemas/envelope'

const schema = {
  operationId: 'listToolCalls',
  summary: 'What the model called in a session',
  description: 'The newest, in the order they were made. `result` is null while a call runs.',
  tags: ['sessions'],
  params: Type.Object({ key: Id(512) }),
  querystring: Type.Object({
    turn_id: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  }),
  response: {
    200: successSchema(
      Type.Object({
        tool_calls: Type.Array(ToolCallView),
        count: Type.Integer(),
      }),
    ),
    ...GUARDED,
    ...failures(404),
  },
}

export function toolCallRoutes({
  sessions,
  toolCalls,
}: {
  sessions: SessionDirectory
  toolCalls: ToolCallStore
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/sessions/:key/tool-calls', { schema, config: { auth: 'read' } }, async (request) => {
      const { sessionKey } = await sessions.open(callerOf(request), request.params.key)
      const { turn_id: turnId, limit = 100 } = request.query
      const found = await toolCalls.list(sessionKey, { turnId, limit })
      const shown = found.map((call) => ({
        turn_id: call.turnId,
        id: call.callId,
        name: call.name,
        arguments: call.arguments,
        result: call.result,
        started_at: call.startedAt.toISOString(),
        ended_at: call.endedAt?.toISOString() ?? null,
      }))
      return success({ tool_calls: shown, count: shown.length })
    })
  }
}

import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { Nullable } from '../schemas/chat'
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
    order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By due time; `asc` unless told.' })),
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

const kept = {
  operationId: 'countKeptPromises',
  summary: 'How the promises that fell due in the last hours were kept',
  description:
    '`on_time` are those kept at most `on_time_within_ms` after they were due; lateness is of all that were kept.',
  tags: ['promises'],
  querystring: Type.Object({
    session_key: Type.Optional(Type.String({ maxLength: 512 })),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, default: 24 })),
  }),
  response: {
    200: successSchema(
      Type.Object({
        from: Type.String({ format: 'date-time' }),
        to: Type.String({ format: 'date-time' }),
        on_time_within_ms: Type.Integer(),
        due: Type.Integer({ description: 'All that fell due, but those that were cancelled before.' }),
        kept: Type.Integer(),
        on_time: Type.Integer(),
        failed: Type.Integer({ description: 'With the runs of automations that were missed.' }),
        overdue: Type.Integer({ description: 'Due, and neither kept nor failed yet.' }),
        cancelled: Type.Integer(),
        median_late_ms: Nullable(Type.Integer()),
        worst_late_ms: Nullable(Type.Integer()),
      }),
    ),
    ...GUARDED,
  },
}

export function promiseRoutes({ promises }: FrontDoor): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/promises', { schema, config: { auth: 'read' } }, async (request) => {
      const { session_key: sessionKey, state, due_from: from, due_to: to, limit: most = 50, order } = request.query
      const window = { dueFrom: parseInstant('due_from', from), dueTo: parseInstant('due_to', to) }
      const found = await promises.list({
        ...{ bots: callerOf(request).bots, sessionKey, state, ...window, limit: most },
        newestFirst: order === 'desc',
      })
      return success({
        promises: found.map((item) => ({ ...item, due_at: item.due_at.toISOString() })),
        count: found.length,
      })
    })

    app.get('/api/v1/promises/kept', { schema: kept, config: { auth: 'read' } }, async (request) => {
      const { session_key: sessionKey, hours = 24 } = request.query
      const figures = await promises.kept({ bots: callerOf(request).bots, sessionKey, hours })
      return success({ ...figures, from: figures.from.toISOString(), to: figures.to.toISOString() })
    })
  }
}

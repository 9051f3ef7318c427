import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PROMISE_STATES } from './contract'
import type { PromiseItem } from './contract'
import type { KeptFigures } from './kept-figures'
import { callerOf } from '../http/auth'
import type { SessionDirectory } from '../conversation/session-directory'
import type { PromiseStore } from './promise-store'
import { KeptView, PromiseView } from './schemas'
import { GUARDED, success, successSchema } from '../http/schemas/envelope'
import { keyNamed } from '../conversation'
import { parseInstant, Window } from '../http/schemas/time-window'

const { due_from: dueFrom, due_to: dueTo, limit } = Window

const schema = {
  operationId: 'listPromises',
  summary: 'Everything due, of every kind, by due time',
  tags: ['promises'],
  querystring: Type.Object({
    session_key: Type.Optional(Type.String({ maxLength: 512 })),
    state: Type.Optional(Type.Enum([...PROMISE_STATES])),
    due_from: dueFrom,
    due_to: dueTo,
    limit,
    order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By due time; `asc` unless told.' })),
  }),
  response: {
    200: successSchema(
      Type.Object({
        promises: Type.Array(PromiseView),
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
    200: successSchema(KeptView),
    ...GUARDED,
  },
}

export function promiseRoutes({
  sessions,
  promises,
}: {
  sessions: SessionDirectory
  promises: Pick<PromiseStore, 'list' | 'kept'>
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/promises', { schema, config: { auth: 'read' } }, async (request) => {
      const { session_key: name, state, due_from: from, due_to: to, limit: most = 50, order } = request.query
      const caller = callerOf(request)
      const sessionKey = await keyNamed(sessions, caller, name)
      const window = { dueFrom: parseInstant('due_from', from), dueTo: parseInstant('due_to', to) }
      const found = await promises.list({
        bots: caller.bots,
        sessionKey,
        state,
        ...window,
        limit: most,
        newestFirst: order === 'desc',
      })
      return success({
        promises: found.map(showPromise),
        count: found.length,
      })
    })

    app.get('/api/v1/promises/kept', { schema: kept, config: { auth: 'read' } }, async (request) => {
      const { session_key: name, hours = 24 } = request.query
      const caller = callerOf(request)
      const sessionKey = await keyNamed(sessions, caller, name)
      return success(showKept(await promises.kept({ bots: caller.bots, sessionKey, hours })))
    })
  }
}

const showPromise = ({ sessionKey, botUuid, dueAt, workflowId, lateByMs, ...promise }: PromiseItem) => ({
  ...promise,
  session_key: sessionKey,
  bot_uuid: botUuid,
  due_at: dueAt.toISOString(),
  workflow_id: workflowId,
  late_by_ms: lateByMs,
})

function showKept(figures: KeptFigures) {
  const { from, to, onTimeWithinMs, onTime, medianLateMs, worstLateMs, ...counts } = figures
  return {
    ...counts,
    from: from.toISOString(),
    to: to.toISOString(),
    on_time_within_ms: onTimeWithinMs,
    on_time: onTime,
    median_late_ms: medianLateMs,
    worst_late_ms: worstLateMs,
  }
}

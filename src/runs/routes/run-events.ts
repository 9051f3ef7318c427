import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { runWatchKey } from '../contract'
import { callerOf } from '../../http/auth'
import type { LiveBus } from '../../engine/live-bus'
import type { Runs } from '../runs'
import { safeError } from '../../http/logging'
import { AnyObject } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema } from '../../http/schemas/envelope'
import { eventStream } from '../../http/schemas/event-stream'
import { followRows } from '../../conversation'
import type { OpenSse, SseStream } from '../../http/sse'
import { findRun } from './runs'

const MOST = 1_000

const schema = {
  operationId: 'followRun',
  summary: 'What a run tells: args, tool_choice, tool_result, completed',
  description:
    'Server-sent events from the beginning (or after `Last-Event-ID`) until `completed`; a list with `format=json`.',
  tags: ['runs'],
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  querystring: Type.Object({
    format: Type.Optional(Type.Enum(['json', 'sse'])),
    last_event_id: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.Integer({ minimum: 0 })) }),
  response: {
    200: {
      description: 'The events.',
      content: {
        'application/json': { schema: successSchema(Type.Object({ events: Type.Array(AnyObject) })) },
        ...eventStream,
      },
    },
    ...GUARDED,
    ...failures(404),
  },
}

export function runEventRoutes(
  { runs, live }: { runs: Runs; live: LiveBus },
  openSse: OpenSse,
): FastifyPluginAsyncTypebox {
  const open = new Set<SseStream>()
  const after = async (id: string, seq: number, limit: number) =>
    (await runs.events(id, seq, limit)).map((event) => ({ seq: event.seq, name: event.type, data: event }))

  return async (app) => {
    app.addHook('preClose', async () => open.forEach((stream) => stream.end()))
    app.get(
      '/api/v1/runs/:id/events',
      { schema, config: { auth: 'read' }, exposeHeadRoute: false },
      async (request, reply) => {
        const { id } = request.params
        await findRun({ runs }, callerOf(request), id)
        const seen = request.headers['last-event-id'] ?? request.query.last_event_id ?? 0
        if (request.query.format === 'json') return success({ events: await runs.events(id, seen, MOST) })
        const stream = openSse(request, reply)
        open.add(stream)
        const events = { after: (_key: string, seq: number, limit: number) => after(id, seq, limit) }
        const source = { events, live: live, isLast: ({ name }: { name: string }) => name === 'completed' }
        await followRows(stream, source, runWatchKey(id), { after: seen, resync: false }).catch((error: unknown) =>
          request.log.warn({ err: safeError(error) }, 'a run stream broke'),
        )
        open.delete(stream)
        stream.end()
      },
    )
  }
}

import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { safeError } from '../logging'
import { Id } from '../schemas/chat'
import { failures, GUARDED } from '../schemas/envelope'
import { eventStream } from '../schemas/event-stream'
import { findStart, followRows } from '../session-stream'
import type { OpenSse, SseStream } from '../sse'

const schema = {
  operationId: 'followSession',
  summary: 'What happens in a session, as it happens',
  description:
    'Server-sent events: `message`, `turn`, `promise` and `run` are rows and carry an id; `delta` is text as it is ' +
    'written. Give the last id you saw as `Last-Event-ID` to miss nothing; `resync` says that it is no longer kept ' +
    'and the messages must be read anew. Without an id the stream begins at the present, or at the oldest event kept ' +
    'with `from=start`.',
  tags: ['sessions'],
  params: Type.Object({ key: Id(512) }),
  querystring: Type.Object({
    last_event_id: Type.Optional(Type.String({ description: 'Where a client cannot send `Last-Event-ID`.' })),
    from: Type.Optional(Type.Enum(['start', 'now'])),
  }),
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  response: { 200: { description: 'A stream of events.', content: eventStream }, ...GUARDED, ...failures(404) },
}

export function sessionEventRoutes(door: FrontDoor, openSse: OpenSse): FastifyPluginAsyncTypebox {
  const open = new Set<SseStream>()
  return async (app) => {
    // A server that closes waits for its connections; these would never end by themselves.
    app.addHook('preClose', async () => open.forEach((stream) => stream.end()))
    app.get('/api/v1/sessions/:key/events', { schema, config: { auth: 'read' } }, async (request, reply) => {
      const { sessionKey } = await door.sessions.open(callerOf(request), request.params.key)
      const lastEventId = request.headers['last-event-id'] ?? request.query.last_event_id
      const start = await findStart(door.events, sessionKey, { lastEventId, from: request.query.from })
      const stream = openSse(request, reply)
      open.add(stream)
      // The client comes back with its last id, so a failure here loses nothing.
      await followRows(stream, door, sessionKey, start).catch((error: unknown) =>
        request.log.warn({ err: safeError(error) }, 'a session stream broke'),
      )
      open.delete(stream)
      stream.end()
    })
  }
}

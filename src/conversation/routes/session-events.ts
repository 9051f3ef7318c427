import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../http/auth'
import type { EventStore } from '../../engine/event-store'
import type { LiveBus } from '../../engine/live-bus'
import type { SessionDirectory } from '../session-directory'
import { safeError } from '../../http/logging'
import { Id } from '../../http/schemas/primitives'
import { failures, GUARDED } from '../../http/schemas/envelope'
import { eventStream } from '../../http/schemas/event-stream'
import { findStart, followSession, startOfNew } from '../session-stream'
import type { OpenSse, SseStream } from '../../http/sse'

const schema = {
  operationId: 'followSession',
  summary: 'What happens in a session, as it happens',
  description:
    'Server-sent events: `message`, `turn`, `promise` and `run` are rows and carry an id; `delta` is text as it is ' +
    'written. Give the last id you saw as `Last-Event-ID` to miss nothing; `resync` says that it is no longer kept ' +
    'and the messages must be read anew. Without an id the stream begins at the present, or at the oldest event kept ' +
    'with `from=start`. A session that is not there yet may be followed too: the stream waits for its first word.',
  tags: ['sessions'],
  params: Type.Object({ key: Id(512) }),
  querystring: Type.Object({
    last_event_id: Type.Optional(Type.String({ description: 'Where a client cannot send `Last-Event-ID`.' })),
    from: Type.Optional(Type.Enum(['start', 'now'])),
  }),
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  response: { 200: { description: 'A stream of events.', content: eventStream }, ...GUARDED, ...failures(404) },
}

export function sessionEventRoutes(
  { sessions, events, live }: { sessions: SessionDirectory; events: EventStore; live: LiveBus },
  openSse: OpenSse,
): FastifyPluginAsyncTypebox {
  const open = new Set<SseStream>()
  return async (app) => {
    // A server that closes waits for its connections; these would never end by themselves.
    app.addHook('preClose', async () => open.forEach((stream) => stream.end()))
    const options = { schema, config: { auth: 'read' as const }, exposeHeadRoute: false }
    app.get('/api/v1/sessions/:key/events', options, async (request, reply) => {
      const look = () => sessions.look(callerOf(request), { sessionKey: request.params.key })
      const meant = await look()
      const lastEventId = request.headers['last-event-id'] ?? request.query.last_event_id
      const asked = { lastEventId, from: request.query.from }
      const start = meant.isStored ? await findStart(events, meant.sessionKey, asked) : startOfNew(asked)
      const stream = openSse(request, reply)
      open.add(stream)
      // The client comes back with its last id, so a failure here loses nothing.
      await followSession(stream, { events, live }, { meant, look, start }).catch((error: unknown) =>
        request.log.warn({ err: safeError(error) }, 'a session stream broke'),
      )
      open.delete(stream)
      stream.end()
    })
  }
}

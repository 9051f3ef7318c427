import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Session } from '../../contracts/session'
import type { TurnListener } from '../../sessions/chat'
import { callerOf } from '../auth'
import { answerFailure } from '../error-handler'
import type { FrontDoor } from '../front-door'
import { ChatAnswer, ChatRequest } from '../schemas/chat'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../schemas/envelope'
import { eventStream } from '../schemas/event-stream'
import { addressOf } from '../schemas/session-address'
import type { OpenSse, SseStream } from '../sse'

const schema = {
  operationId: 'chat',
  summary: 'Say something and get the answer',
  description:
    'The answer comes as JSON, or with `Accept: text/event-stream` as the events `turn`, `delta`, `tool_call` and at ' +
    'last `answer` (the same data) or `error`. The turn goes on if the client leaves.',
  tags: ['chat'],
  body: ChatRequest,
  response: {
    200: {
      description: 'The answer of the assistant.',
      content: { 'application/json': { schema: successSchema(ChatAnswer) }, ...eventStream },
    },
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404, 409, 429),
  },
}

export function chatRoutes({ sessions, chat }: FrontDoor, openSse: OpenSse): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/api/ai/chat', { schema, config: { auth: 'send' } }, async (request, reply) => {
      const { body } = request
      const session = await sessions.resolve(callerOf(request), addressOf(body))
      const input = { message: body.message, senderId: body.sender_id ?? usualSender(request, session) }
      if (!request.headers.accept?.includes('text/event-stream')) return success(await chat.send(session, input))
      const stream = openSse(request, reply)
      await chat.send(session, input, listenTo(stream)).then(
        (data) => stream.send({ event: 'answer', data }),
        (error: unknown) => stream.send({ event: 'error', data: answerFailure(error, request) }),
      )
      stream.end()
    })
  }
}

function listenTo(stream: SseStream): TurnListener {
  return {
    onTurn: (data) => stream.send({ event: 'turn', data }),
    onDelta: (text) => stream.send({ event: 'delta', data: { text } }),
    onToolCall: (data) => stream.send({ event: 'tool_call', data }),
  }
}

/** In a private session the one who speaks is the one it belongs to. */
function usualSender(request: FastifyRequest, session: Session): string {
  return session.launcherType === 'person' ? session.launcherId : callerOf(request).id
}

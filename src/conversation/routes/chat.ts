import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Session } from '../session'
import type { Chat, TurnListener } from '../chat'
import { callerOf } from '../../http/auth'
import { answerFailure } from '../../http/error-handler'
import type { SessionDirectory } from '../session-directory'
import { ChatAnswer, ChatRequest } from '../schemas/chat'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'
import { eventStream } from '../../http/schemas/event-stream'
import { addressOf } from '../schemas/session-address'
import type { OpenSse, SseStream } from '../../http/sse'

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

export function chatRoutes(
  { sessions, chat }: { sessions: SessionDirectory; chat: Chat },
  openSse: OpenSse,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/api/ai/chat', { schema, config: { auth: 'send' } }, async (request, reply) => {
      const { body } = request
      const session = await sessions.resolve(callerOf(request), addressOf(body))
      const input = { message: body.message, senderId: body.sender_id ?? usualSender(request, session) }
      if (!request.headers.accept?.includes('text/event-stream')) return success(await chat.send(session, input))
      const stream = openSse(request, reply)
      await chat.send(session, input, listenTo(stream)).then(
        (answer) => stream.send({ event: 'answer', data: shown(answer) }),
        (error: unknown) => stream.send({ event: 'error', data: answerFailure(error, request) }),
      )
      stream.end()
    })
  }
}

/** The same fields as the JSON answer; what the turn cost and why it failed are in the ledger and the log. */
function shown({ error_code: _code, usage: _usage, is_cut_short: _cut, ...data }: Awaited<ReturnType<Chat['send']>>) {
  return data
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

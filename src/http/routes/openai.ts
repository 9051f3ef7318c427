import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox, Static } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../contracts/session'
import { AppError, badRequest } from '../../errors'
import type { ChatInput } from '../../sessions/chat'
import { callerOf } from '../auth'
import { answerFailure, handleError } from '../error-handler'
import type { FrontDoor } from '../front-door'
import { Id } from '../schemas/chat'
import { Completion, CompletionRequest, ModelView, openAiFailures } from '../schemas/openai'
import { eventStream } from '../schemas/event-stream'
import type { OpenSse, SseStream } from '../sse'

const tags = ['openai']
/** Clients send the whole conversation each time. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024
const MAX_CHARACTERS = 20_000

const listModels = {
  ...{ operationId: 'listModels', summary: 'The pipelines, as models', tags },
  response: {
    200: Type.Object({ object: Type.Literal('list'), data: Type.Array(ModelView) }),
    ...openAiFailures,
  },
}
const getModel = {
  ...{ operationId: 'getModel', summary: 'One pipeline, as a model', tags },
  params: Type.Object({ model: Id(255) }),
  response: { 200: ModelView, ...openAiFailures },
}
const complete = {
  operationId: 'createChatCompletion',
  summary: 'Chat as any OpenAI client does',
  description:
    '`model` is a pipeline. The session is the one of the header `X-Session-Key`, else the one of the person `user`, else ' +
    'the own one of the caller. It remembers by itself: only the last message is read, the ones before are left aside. ' +
    'What is promised here arrives by the channel of the session.',
  tags,
  headers: Type.Object({
    'x-session-key': Type.Optional(Id(512)),
    'x-openwebui-chat-id': Type.Optional(
      Type.String({ maxLength: 512, description: 'As Open WebUI names its chats.' }),
    ),
  }),
  body: CompletionRequest,
  response: {
    200: {
      description: 'The answer, or chunks of it with `stream: true`.',
      content: { 'application/json': { schema: Completion }, ...eventStream },
    },
    ...openAiFailures,
  },
}

export function openAiRoutes(door: FrontDoor, openSse: OpenSse): FastifyPluginAsyncTypebox {
  const models = () =>
    door.pipelines().map((id) => ({ id, object: 'model' as const, created: 0, owned_by: 'punctual' }))

  function requireModel(id: string) {
    const found = models().find((model) => model.id === id)
    if (found) return found
    const known = door.pipelines().join(', ')
    throw new AppError('model_not_found', `there is no model "${id}"`, { status: 404, hint: `There are: ${known}.` })
  }

  async function meant(request: FastifyRequest, body: Static<typeof CompletionRequest>): Promise<Session> {
    const named = request.headers['x-session-key'] ?? request.headers['x-openwebui-chat-id']
    const sessionKey = named?.toString()
    const whose = sessionKey === undefined ? { launcherId: body.user } : { sessionKey }
    return door.sessions.resolve(callerOf(request), { ...whose, pipelineUuid: requireModel(body.model).id })
  }

  return async (app) => {
    app.setErrorHandler(handleAsOpenAi)
    app.get('/v1/models', { schema: listModels, config: { auth: 'read' } }, async () => ({
      object: 'list' as const,
      data: models(),
    }))
    app.get('/v1/models/:model', { schema: getModel, config: { auth: 'read' } }, async (request) =>
      requireModel(request.params.model),
    )
    const options = { schema: complete, config: { auth: 'send' as const }, bodyLimit: BODY_LIMIT_BYTES }
    app.post('/v1/chat/completions', options, async (request, reply) => {
      const { body } = request
      const message = lastWords(body)
      const session = await meant(request, body)
      const senderId = session.launcherType === 'person' ? session.launcherId : callerOf(request).id
      reply.header('x-session-key', session.sessionKey)
      if (body.stream)
        return stream(door, { session, input: { message, senderId }, model: body.model }, openSse, request, reply)
      const answer = await door.chat.send(session, { message, senderId })
      return {
        ...{
          id: `chatcmpl-${answer.turn_id}`,
          object: 'chat.completion' as const,
          created: nowSeconds(),
          model: body.model,
        },
        choices: [
          {
            ...{ index: 0, logprobs: null, finish_reason: 'stop' as const },
            message: { role: 'assistant' as const, content: answer.content, refusal: null },
          },
        ],
        session_key: session.sessionKey,
        tool_calls: answer.tool_calls.map((call) => ({ ...call })),
      }
    })
  }
}

const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** What is said now; pictures and sounds are not understood here, and are not dropped silently. */
function lastWords({ messages }: Static<typeof CompletionRequest>): string {
  const last = messages.at(-1)
  if (last?.role !== 'user') {
    throw badRequest('no_user_message', "the last message is not the person's", 'Send it last, with role "user".')
  }
  const parts = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : (last.content ?? [])
  const strange = parts.find(({ type }) => type !== 'text')
  if (strange)
    throw badRequest('unsupported_content', `content of type "${strange.type}" is not understood`, 'Send text.')
  const text = parts.map((part) => part.text ?? '').join('\n')
  if (text.trim() === '') throw badRequest('empty_message', 'the last message has no text')
  if (text.length <= MAX_CHARACTERS) return text
  throw badRequest('message_too_long', `the last message is over ${MAX_CHARACTERS} characters`)
}

async function stream(
  door: FrontDoor,
  asked: { session: Session; input: ChatInput; model: string },
  openSse: OpenSse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const events = openSse(request, reply)
  const write = createWriter(events, asked.model)
  write.delta({ role: 'assistant', content: '' })
  let told = ''
  const onDelta = (text: string) => {
    told += text
    write.delta({ content: text })
  }
  await door.chat.send(asked.session, asked.input, { onTurn: ({ turn_id: id }) => write.name(id), onDelta }).then(
    ({ content }) => {
      // What was told so far may have been said before a tool was called, or may have been put in other words since.
      const rest = told.endsWith(content)
        ? ''
        : content.startsWith(told)
          ? content.slice(told.length)
          : `\n\n${content}`
      if (rest !== '') write.delta({ content: rest })
      write.delta({}, 'stop')
      events.send({ text: '[DONE]' })
    },
    (error: unknown) => events.send({ data: asOpenAi(answerFailure(error, request)) }),
  )
  events.end()
}

function createWriter(events: SseStream, model: string) {
  const created = nowSeconds()
  let id = 'chatcmpl-waiting'
  return {
    name: (turnId: string) => void (id = `chatcmpl-${turnId}`),
    delta(delta: object, finish: 'stop' | null = null) {
      const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
      events.send({ data: { id, object: 'chat.completion.chunk', created, model, choices } })
    },
  }
}

const TYPES: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' }
const asOpenAi = (answer: ReturnType<typeof answerFailure>) => {
  const type = TYPES[answer.code] ?? (answer.code < 500 ? 'invalid_request_error' : 'server_error')
  return { ...answer, error: { ...answer.error, message: answer.message, type, param: null } }
}

function handleAsOpenAi(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  handleError(error, request, reply, asOpenAi)
}

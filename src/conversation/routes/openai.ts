import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox, Static } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Effect } from '../../contracts/effect'
import type { Session } from '../session'
import { AppError, badRequest } from '../../errors'
import type { ChatAnswer, ChatInput } from '../chat'
import { callerOf } from '../../http/auth'
import { answerFailure, handleError } from '../../http/error-handler'
import type { PipelineDirectory } from '../../planner/pipeline-directory'
import type { Chat } from '../chat'
import type { SessionDirectory } from '../session-directory'
import { Id } from '../../http/schemas/primitives'
import { Completion, CompletionRequest, ModelView, openAiFailures } from '../schemas/openai'
import { readSettings, refuseUnsupported } from '../openai-parameters'
import { eventStream } from '../../http/schemas/event-stream'
import { shownKey } from '../../http/session-names'
import type { OpenSse, SseStream } from '../../http/sse'

const tags = ['openai']
/** Clients send the whole conversation each time. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024
const MAX_CHARACTERS = 20_000

const listModels = {
  operationId: 'listModels',
  summary: 'The pipelines, as models',
  tags,
  response: {
    200: Type.Object({ object: Type.Literal('list'), data: Type.Array(ModelView) }),
    ...openAiFailures,
  },
}
const getModel = {
  operationId: 'getModel',
  summary: 'One pipeline, as a model',
  tags,
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
    'x-session-key': Type.Optional(Type.String({ maxLength: 512, description: 'Empty is as good as absent.' })),
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

export function openAiRoutes(
  { sessions, chat, pipelines }: { sessions: SessionDirectory; chat: Chat; pipelines: PipelineDirectory },
  openSse: OpenSse,
): FastifyPluginAsyncTypebox {
  const models = async () =>
    (await pipelines.list()).map(({ uuid: id }) => ({
      id,
      object: 'model' as const,
      created: 0,
      owned_by: 'punctual',
    }))

  async function requireModel(id: string) {
    const known = await models()
    const found = known.find((model) => model.id === id)
    if (found) return found
    const hint = `There are: ${known.map((model) => model.id).join(', ')}.`
    throw new AppError('model_not_found', `there is no model "${id}"`, { status: 404, hint })
  }

  async function resolveSession(request: FastifyRequest, body: Static<typeof CompletionRequest>): Promise<Session> {
    const named = [request.headers['x-session-key'], request.headers['x-openwebui-chat-id']]
    const sessionKey = named.map((header) => header?.toString().trim()).find(Boolean)
    const whose = sessionKey === undefined ? { launcherId: body.user } : { sessionKey }
    return sessions.resolve(callerOf(request), { ...whose, pipelineUuid: (await requireModel(body.model)).id })
  }

  return async (app) => {
    app.setErrorHandler(handleAsOpenAi)
    app.get('/v1/models', { schema: listModels, config: { auth: 'read' } }, async () => ({
      object: 'list' as const,
      data: await models(),
    }))
    app.get('/v1/models/:model', { schema: getModel, config: { auth: 'read' } }, async (request) =>
      requireModel(request.params.model),
    )
    app.post('/v1/responses', { schema: { hide: true }, config: { auth: 'send' } }, async () => {
      const hint = 'Use POST /v1/chat/completions (with the AI SDK of Vercel: openai.chat("assistant")).'
      throw new AppError('unsupported_endpoint', 'the Responses API is not served here', { status: 404, hint })
    })
    const options = { schema: complete, config: { auth: 'send' as const }, bodyLimit: BODY_LIMIT_BYTES }
    app.post('/v1/chat/completions', options, async (request, reply) => {
      const { body } = request
      refuseUnsupported(body)
      const message = lastWords(body)
      const session = await resolveSession(request, body)
      const senderId = session.launcherType === 'person' ? session.launcherId : callerOf(request).id
      const input = { message, senderId, settings: readSettings(body), instructions: systemWords(body) }
      reply.header('x-session-key', shownKey(callerOf(request), session.sessionKey))
      const withUsage = body.stream_options?.include_usage === true
      if (body.stream) return stream(chat, { session, input, model: body.model, withUsage }, openSse, request, reply)
      const answer = requireAnswer(await chat.send(session, input))
      return {
        ...{
          id: `chatcmpl-${answer.turn_id}`,
          object: 'chat.completion' as const,
          created: nowSeconds(),
          model: body.model,
        },
        choices: [
          {
            index: 0,
            logprobs: null,
            finish_reason: finishOf(answer),
            message: { role: 'assistant' as const, content: answer.content, refusal: null },
          },
        ],
        usage: showUsage(answer),
        session_key: session.sessionKey,
        effects: answer.effects,
        tool_calls: answer.tool_calls.map((call) => ({ ...call })),
      }
    })
  }
}

type Finish = 'stop' | 'length'
const finishOf = ({ is_cut_short: isCutShort }: ChatAnswer): Finish => (isCutShort ? 'length' : 'stop')

function showUsage({ usage }: ChatAnswer) {
  const { promptTokens = 0, completionTokens = 0 } = usage ?? {}
  const total = promptTokens + completionTokens
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: total }
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
  chat: Chat,
  asked: { session: Session; input: ChatInput; model: string; withUsage: boolean },
  openSse: OpenSse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const events = openSse(request, reply)
  const write = createWriter(events, asked.model)
  write({ delta: { role: 'assistant', content: '' } })
  let isTold = false
  const onDelta = (text: string) => {
    isTold = true
    write({ delta: { content: text } })
  }
  await chat
    .send(asked.session, asked.input, { onDelta })
    .then(requireAnswer)
    .then(
      (answer) => {
        const { content, effects } = answer
        if (!isTold) write({ delta: { content } })
        write({ delta: {}, finish: finishOf(answer), effects })
        if (asked.withUsage) write({ usage: showUsage(answer) })
        events.send({ text: '[DONE]' })
      },
      (error: unknown) => events.send({ data: asOpenAi(answerFailure(error, request)) }),
    )
  events.end()
}

interface ChunkParts {
  /** Absent in the last chunk, which holds nothing but the usage. */
  delta?: object
  finish?: Finish | null
  effects?: Effect[]
  usage?: object
}

/** All chunks of one answer bear one id. */
function createWriter(events: SseStream, model: string) {
  const head = { id: `chatcmpl-${randomUUID()}`, object: 'chat.completion.chunk', created: nowSeconds(), model }
  return ({ delta, finish = null, ...more }: ChunkParts) => {
    const choices = delta ? [{ index: 0, delta, logprobs: null, finish_reason: finish }] : []
    events.send({ data: { ...head, choices, ...more } })
  }
}

const STATUS: Readonly<Record<string, number>> = { model_rate_limited: 429, model_timeout: 504, turn_timeout: 504 }

/** A model that gave none is an error to a program; what a person reads then is for people. */
function requireAnswer(answer: ChatAnswer): ChatAnswer {
  const { error_code: code, content } = answer
  if (code === null || code === 'too_many_rounds') return answer
  throw new AppError(code, 'the model gave no answer', { status: STATUS[code] ?? 502, hint: content })
}

/** What the client's own system messages ask for, in this turn. */
function systemWords({ messages }: Static<typeof CompletionRequest>): string | undefined {
  const texts = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) =>
      typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'),
    )
  const text = texts.join('\n').trim().slice(0, MAX_CHARACTERS)
  return text === '' ? undefined : text
}

const TYPES: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' }
const asOpenAi = (answer: ReturnType<typeof answerFailure>) => {
  const type = TYPES[answer.code] ?? (answer.code < 500 ? 'invalid_request_error' : 'server_error')
  const { details } = answer.error
  const param = typeof details === 'object' && details !== null && 'param' in details ? String(details.param) : null
  return { ...answer, error: { ...answer.error, message: answer.message, type, param } }
}

function handleAsOpenAi(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // What was said is in the session by now: a client that asks again by itself would say it twice.
  if (error instanceof AppError && error.status >= 429) void reply.header('x-should-retry', 'false')
  handleError(error, request, reply, asOpenAi)
}

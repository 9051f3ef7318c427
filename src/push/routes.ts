import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MESSAGE_PART_TYPES, readMessageChain } from '../contracts/message-chain'
import type { MessageChain } from '../contracts/message-chain'
import type { PushAnswer } from './contract'
import { CHANNELS, LAUNCHER_TYPES } from '../contracts/words'
import { AppError, badRequest } from '../errors'
import { callerOf } from '../http/auth'
import type { Push } from './push'
import { Id, Nullable } from '../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../http/schemas/envelope'

const schema = {
  operationId: 'sendMessage',
  summary: 'Send a message to a person or a group in the name of a bot',
  description: [
    'It goes out where the person or group was last heard, or else on the channel of the bot that reaches them; it is stored, and shown live.',
    'With an `Idempotency-Key` the same body gets the same answer for 24 hours and is sent once.',
    'In quiet hours it waits for their end unless it is `urgent`.',
  ].join(' '),
  tags: ['history'],
  headers: Type.Object({
    'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' })),
  }),
  body: Type.Object({
    bot_uuid: Id(255),
    target_type: Type.Enum(LAUNCHER_TYPES),
    target_id: Id(255),
    message: Type.Unsafe<unknown>({
      anyOf: [{ type: 'string' }, { type: 'array', items: {}, maxItems: 1_000 }],
      description: `A text, or a chain of ${MESSAGE_PART_TYPES.join(', ')}.`,
      examples: ['你好！', [{ type: 'Plain', text: '你好！' }]],
    }),
    channel: Type.Optional(
      Type.Enum(CHANNELS, {
        description:
          'Where to, for a target that is not known yet: needed when the bot has several channels that reach it, ' +
          'or when it is meant for the page (`web`).',
      }),
    ),
    pipeline_uuid: Type.Optional(Id(255)),
    urgent: Type.Optional(Type.Boolean({ default: false, description: 'Goes through quiet hours.' })),
  }),
  response: {
    200: successSchema(
      Type.Object({
        message: Type.String({ examples: ['Message sent successfully'] }),
        status: Type.Enum(['sent', 'deferred', 'queued']),
        session_key: Type.String(),
        message_id: Nullable(Type.Integer()),
        scheduled_message_id: Nullable(Type.String({ description: 'When it waits for the end of quiet hours.' })),
        send_at: Nullable(Type.String()),
      }),
    ),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404, 409, 429, 502),
  },
}

const WORDS = {
  sent: 'Message sent successfully',
  deferred: 'Message deferred to the end of quiet hours',
  queued: 'Message accepted; the channel has not taken it yet and is tried again',
} as const

/** A program speaks to a person or a group. */
export function pushRoutes({ push }: { push: Push }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/api/v1/messages/send', { schema, config: { auth: 'send' } }, async (request) => {
      const { body, headers } = request
      const answer = await push.send(callerOf(request), {
        target: { botUuid: body.bot_uuid, launcherType: body.target_type, launcherId: body.target_id },
        channel: body.channel,
        chain: readChain(body.message),
        pipelineUuid: body.pipeline_uuid,
        urgent: body.urgent ?? false,
        idempotencyKey: headers['idempotency-key'],
      })
      return success(showAnswer(answer))
    })
  }
}

function readChain(message: unknown): MessageChain {
  const reading = readMessageChain(message)
  if (!reading.ok) throw badRequest(reading.code, reading.fault)
  return reading.chain
}

function showAnswer({ status, error, ...rest }: PushAnswer) {
  if (status !== 'failed') return { message: WORDS[status], status, ...rest }
  const hint = 'It is in the history; mend the channel and send it again with a new Idempotency-Key.'
  throw new AppError('delivery_failed', `the channel refused the message: ${error ?? 'no reason given'}`, {
    status: 502,
    hint,
    details: { message_id: rest.message_id },
  })
}

import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { isPlatformName, platformEntry, PLATFORM_NAMES } from '../../contracts/platforms'
import type { PlatformEntry } from '../../contracts/platforms'
import { readCapped } from '../../egress/read-capped'
import { AppError, unauthorized } from '../../errors'
import { checkText } from '../../http/bad-text'
import type { Inbound } from '../inbound/inbound'
import { createRefusals } from '../../http/refusals'
import { AnyObject, Id, Nullable } from '../../http/schemas/primitives'
import { failures, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'
import { createValidator } from '../../http/validator'

/** A platform that is set up rightly is never refused. */
const REFUSALS = { most: 60, windowMs: 60_000 }

const schema = {
  operationId: 'receiveFromPlatform',
  summary: 'Where a platform hands in what people say to a bot',
  description:
    'Public, but refused unless the request proves where it comes from: `webhook` by a Standard Webhooks signature, ' +
    '`telegram` by its secret token, `onebot` by `X-Signature`. Stored and answered at once; the bot answers through ' +
    'the channel. The same id again is one message. For `webhook` the body is `{launcher_id, text | message_chain, ' +
    'launcher_type?, sender_id?, sender_name?, message_id?, addressed?, timezone?, language?}`.',
  tags: ['channels'],
  params: Type.Object({ channel: Type.Enum(PLATFORM_NAMES), bot_uuid: Id(255) }),
  body: AnyObject,
  response: {
    200: successSchema(
      Type.Object({
        received: Type.Boolean(),
        duplicate: Type.Boolean({ description: 'It was there already: it is answered once.' }),
        ignored: Nullable(
          Type.String({ description: 'Why it is not answered: own_message, not_addressed, no_content.' }),
        ),
        session_key: Nullable(Type.String()),
      }),
    ),
    ...failures(400, 401, 404, 422, 429, 500, 503),
    ...WITH_BODY,
  },
}

export function channelInboundRoutes({ inbound }: { inbound: Pick<Inbound, 'receive'> }): FastifyPluginAsyncTypebox {
  const validate = createValidator()
  return async (app) => {
    // Signatures are over the bytes, so that the body stays as it came; whoever verifies it also reads it.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', readBody)
    const refusals = createRefusals(REFUSALS)

    /** Before a byte of the body is read. */
    const checkStranger = async (request: FastifyRequest) => {
      refusals.check(request.ip, request.url)
      const proof = platformOf(request)?.inbound.proof
      if (proof === undefined || request.headers[proof]) return
      throw unauthorized(`${proof} is missing`)
    }

    app.post(
      '/api/v1/channels/:channel/:bot_uuid',
      {
        schema,
        onRequest: checkStranger,
        onError: async (request, _reply, error) => {
          if (error instanceof AppError && error.status === 401) refusals.add(request.ip)
        },
        config: { auth: 'public' },
        validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : validate(part)),
      },
      async (request) => {
        const { channel, bot_uuid: botUuid } = request.params
        const body = typeof request.body === 'string' ? request.body : ''
        checkText(readLoosely(body))
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')]),
        )
        const receipt = await inbound.receive(channel, botUuid, { headers, body })
        refusals.prove(request.ip, request.url)
        const { received, duplicate, ignored, sessionKey: session_key } = receipt
        return success({ received, duplicate, ignored, session_key })
      },
    )
  }
}

function platformOf({ params }: FastifyRequest): PlatformEntry | undefined {
  const { channel } = params as { channel?: unknown }
  return isPlatformName(channel) ? platformEntry(channel) : undefined
}

/** Whatever the length that was announced, no more is taken than the platform may hand in. */
async function readBody(request: FastifyRequest, payload: AsyncIterable<Uint8Array>): Promise<string> {
  const { bytes, truncated } = await readCapped(payload, platformOf(request)?.inbound.maxBytes ?? 0)
  if (truncated) throw new AppError('body_too_large', 'the body is too large for this platform', { status: 413 })
  return bytes.toString('utf8')
}

/** Only to look for text that cannot be stored; what is no JSON is refused later, by whoever reads it. */
function readLoosely(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

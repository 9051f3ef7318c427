import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { checkText } from '../bad-text'
import type { FrontDoor } from '../front-door'
import { AnyObject, Id, Nullable } from '../schemas/chat'
import { failures, success, successSchema, WITH_BODY } from '../schemas/envelope'
import { createValidator } from '../validator'

const schema = {
  operationId: 'receiveFromPlatform',
  summary: 'Where a platform hands in what people say to a bot',
  description:
    'Public, but refused unless the request proves where it comes from: `webhook` by a Standard Webhooks signature, ' +
    '`telegram` by its secret token, `onebot` by `X-Signature`. Stored and answered at once; the bot answers through ' +
    'the channel. The same id again is one message. For `webhook` the body is `{launcher_id, text | message_chain, ' +
    'launcher_type?, sender_id?, sender_name?, message_id?, addressed?, timezone?, language?}`.',
  tags: ['channels'],
  params: Type.Object({ channel: Type.Enum(['webhook', 'telegram', 'onebot']), bot_uuid: Id(255) }),
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
    ...failures(400, 401, 404, 422, 500, 503),
    ...WITH_BODY,
  },
}

export function channelInboundRoutes({ inbound }: FrontDoor): FastifyPluginAsyncTypebox {
  const validate = createValidator()
  return async (app) => {
    // Signatures are over the bytes, so that the body stays as it came; whoever verifies it also reads it.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    app.post(
      '/api/v1/channels/:channel/:bot_uuid',
      {
        schema,
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
        const { received, duplicate, ignored, sessionKey: session_key } = receipt
        return success({ received, duplicate, ignored, session_key })
      },
    )
  }
}

/** Only to look for text that cannot be stored; what is no JSON is refused later, by whoever reads it. */
function readLoosely(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

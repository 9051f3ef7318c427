import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor, WebhookView } from '../front-door'
import { Id, Nullable } from '../schemas/chat'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../schemas/envelope'

const fields = {
  bot_uuid: Type.String(),
  url: Type.String(),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String()),
  disabled_at: Nullable(Type.String()),
  updated_at: Type.String(),
}
const params = Type.Object({ uuid: Id(255) })
const answers = { ...GUARDED, ...failures(404) }

const put = {
  operationId: 'setBotWebhook',
  summary: "Send a bot's messages to this URL, signed by Standard Webhooks; also turns it on again",
  tags: ['access'],
  params,
  body: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 2_048, examples: ['https://example.com/hook'] }),
    secret: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Absent: the present one stays, or one is made. A new one replaces the present, which signs for 24 h more.',
      }),
    ),
  }),
  response: {
    200: successSchema(
      Type.Object({
        ...fields,
        secret: Nullable(Type.String({ description: 'Only when it was made just now; it is never shown again.' })),
        previous_secret_until: Nullable(Type.String()),
      }),
    ),
    ...answers,
    ...WITH_BODY,
  },
}

const get = {
  operationId: 'getBotWebhook',
  summary: "Where a bot's messages go, without the secret",
  tags: ['access'],
  params,
  response: { 200: successSchema(Type.Object(fields)), ...answers },
}

const remove = {
  operationId: 'removeBotWebhook',
  summary: "Forget a bot's webhook and its secret",
  tags: ['access'],
  params,
  response: { 200: successSchema(Type.Object({ removed: Type.Boolean() })), ...answers, ...WITH_BODY },
}

const PATH = '/api/v1/bots/:uuid/channels/webhook'

export function botChannelRoutes({ botChannels }: FrontDoor): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.put(
      PATH,
      {
        schema: put,
        config: { auth: 'admin' },
        // Before the body is looked at, so that a bot of others answers the same whatever is sent.
        preValidation: (request) => botChannels.requireBot(callerOf(request), request.params.uuid),
      },
      async (request) => {
        const { uuid } = request.params
        const set = await botChannels.setWebhook(callerOf(request), uuid, request.body)
        const previous_secret_until = set.previousSecretUntil?.toISOString() ?? null
        return success({ ...showWebhook(uuid, set), secret: set.secret, previous_secret_until })
      },
    )

    app.get(PATH, { schema: get, config: { auth: 'admin' } }, async (request) => {
      const { uuid } = request.params
      return success(showWebhook(uuid, await botChannels.getWebhook(callerOf(request), uuid)))
    })

    app.delete(PATH, { schema: remove, config: { auth: 'admin' } }, async (request) => {
      await botChannels.removeWebhook(callerOf(request), request.params.uuid)
      return success({ removed: true })
    })
  }
}

function showWebhook(bot_uuid: string, webhook: WebhookView) {
  return {
    bot_uuid,
    url: webhook.url,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    updated_at: webhook.updatedAt.toISOString(),
  }
}

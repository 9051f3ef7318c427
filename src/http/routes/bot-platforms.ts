import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor, PlatformView } from '../front-door'
import { AnyObject, Id, Nullable } from '../schemas/chat'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../schemas/envelope'

const View = Type.Object({
  bot_uuid: Type.String(),
  channel: Type.String(),
  settings: AnyObject,
  health: Type.String({ description: 'ok, connecting, down, disabled, or idle when no worker holds it.' }),
  detail: Nullable(Type.String()),
  updated_at: Type.String(),
})
const params = Type.Object({ uuid: Id(255), channel: Type.Enum(['telegram', 'onebot']) })
const answers = { ...GUARDED, ...failures(404) }
const tags = ['access']

const put = {
  operationId: 'setBotPlatform',
  summary: 'Put a bot on Telegram or OneBot; secrets are sealed and never shown',
  description:
    'telegram: `{token, mode?: "polling" | "webhook", webhook_url?, api_root?}` · ' +
    'onebot: `{url, access_token}`, where `ws://` is the forward WebSocket and `http://` the HTTP API. ' +
    'A secret that is left out stays as it is. Workers pick up a change within seconds.',
  tags,
  params,
  body: AnyObject,
  response: { 200: successSchema(View), ...answers, ...WITH_BODY },
}
const get = {
  operationId: 'getBotPlatform',
  summary: 'How a bot is set up on a platform, without its secrets, and how its connection stands',
  tags,
  params,
  response: { 200: successSchema(View), ...answers },
}
const remove = {
  operationId: 'removeBotPlatform',
  summary: 'Take a bot off a platform and forget its secrets',
  tags,
  params,
  response: { 200: successSchema(Type.Object({ removed: Type.Boolean() })), ...answers, ...WITH_BODY },
}
const list = {
  operationId: 'listBotChannels',
  summary: 'The channels of a bot and how they stand',
  tags,
  params: Type.Object({ uuid: Id(255) }),
  response: {
    200: successSchema(
      Type.Object({
        channels: Type.Array(
          Type.Object({ channel: Type.String(), health: Type.String(), detail: Nullable(Type.String()) }),
        ),
      }),
    ),
    ...answers,
  },
}

const PATH = '/api/v1/bots/:uuid/channels/:channel'

export function botPlatformRoutes({ botPlatforms, botChannels }: FrontDoor): FastifyPluginAsyncTypebox {
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
        const { uuid, channel } = request.params
        return success(show(uuid, channel, await botPlatforms.set(callerOf(request), uuid, channel, request.body)))
      },
    )

    app.get(PATH, { schema: get, config: { auth: 'admin' } }, async (request) => {
      const { uuid, channel } = request.params
      return success(show(uuid, channel, await botPlatforms.get(callerOf(request), uuid, channel)))
    })

    app.delete(PATH, { schema: remove, config: { auth: 'admin' } }, async (request) => {
      const { uuid, channel } = request.params
      await botPlatforms.remove(callerOf(request), uuid, channel)
      return success({ removed: true })
    })

    app.get('/api/v1/bots/:uuid/channels', { schema: list, config: { auth: 'admin' } }, async (request) => {
      const found = await botPlatforms.list(callerOf(request), request.params.uuid)
      return success({ channels: found.map(({ channel, health, detail }) => ({ channel, health, detail })) })
    })
  }
}

function show(bot_uuid: string, channel: string, { settings, health, detail, updatedAt }: PlatformView) {
  return { bot_uuid, channel, settings, health, detail, updated_at: updatedAt.toISOString() }
}

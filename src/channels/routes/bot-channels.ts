import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox, TSchema } from '@fastify/type-provider-typebox'
import { PLATFORM_NAMES, platformEntry } from '../../contracts/platforms'
import type { PlatformName } from '../../contracts/platforms'
import type { JsonObject } from '../../contracts/words'
import { callerOf } from '../../http/auth'
import type { BotPlatforms, PlatformView } from '../bot-platforms'
import { AnyObject, Id, Nullable } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'

const health = Type.String({ description: 'ok, connecting, down, disabled, or idle when no worker holds it.' })
const fields = {
  bot_uuid: Type.String(),
  channel: Type.String(),
  settings: AnyObject,
  url: Nullable(Type.String()),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String()),
  disabled_at: Nullable(Type.String()),
  health,
  detail: Nullable(Type.String()),
  updated_at: Type.String(),
}
const Changed = Type.Object({
  ...fields,
  secret: Nullable(Type.String({ description: 'Only when it was made just now; it is never shown again.' })),
  previous_secret_until: Nullable(Type.String()),
})
const Listed = Type.Object({ channel: Type.String(), health, detail: Nullable(Type.String()) })
const params = Type.Object({ uuid: Id(255) })
const answers = { ...GUARDED, ...failures(404) }
const tags = ['access']

/** What may be said to set a platform; the platform itself says what is wrong with it. */
function bodyOf(name: PlatformName) {
  const fields = platformEntry(name).fields.map((field) => {
    const { description } = field
    return [field.name, Type.Optional(Type.Union([Type.String({ maxLength: 2_048 }), Type.Null()], { description }))]
  })
  return Type.Unsafe<JsonObject>(Type.Object(Object.fromEntries(fields) as Record<string, TSchema>))
}

function schemasOf(name: PlatformName) {
  const { title } = platformEntry(name)
  const operation = (verb: string, summary: string) => ({ operationId: `${verb}Bot${title}`, summary, tags, params })
  return {
    put: {
      ...operation('set', `Put a bot on ${title}, or change how it is reached there; also turns it on again`),
      description: 'Secrets are sealed. One that is left out stays as it is. Workers pick up a change within seconds.',
      body: bodyOf(name),
      response: { 200: successSchema(Changed), ...answers, ...WITH_BODY },
    },
    get: {
      ...operation('get', `How a bot is set up on ${title}, without its secrets, and how it stands`),
      response: { 200: successSchema(Type.Object(fields)), ...answers },
    },
    remove: {
      ...operation('remove', `Take a bot off ${title} and forget its secrets`),
      response: { 200: successSchema(Type.Object({ removed: Type.Boolean() })), ...answers, ...WITH_BODY },
    },
  }
}

const list = {
  operationId: 'listBotChannels',
  summary: 'The channels of a bot and how they stand',
  tags,
  params,
  response: { 200: successSchema(Type.Object({ channels: Type.Array(Listed) })), ...answers },
}

export function botChannelRoutes({ botPlatforms }: { botPlatforms: BotPlatforms }): FastifyPluginAsyncTypebox {
  return async (app) => {
    const config = { auth: 'admin' } as const
    for (const name of PLATFORM_NAMES) {
      const path = `/api/v1/bots/:uuid/channels/${name}`
      const schemas = schemasOf(name)
      app.put(
        path,
        {
          schema: schemas.put,
          config,
          // Before the body is looked at, so that a bot of others answers the same whatever is sent.
          preValidation: (request) => botPlatforms.requireBot(callerOf(request), request.params.uuid),
        },
        async (request) => {
          const { uuid } = request.params
          const set = await botPlatforms.set(callerOf(request), uuid, name, request.body)
          const previous_secret_until = set.previousSecretUntil?.toISOString() ?? null
          return success({ ...show(uuid, name, set), secret: set.madeSecret, previous_secret_until })
        },
      )

      app.get(path, { schema: schemas.get, config }, async (request) => {
        const { uuid } = request.params
        return success(show(uuid, name, await botPlatforms.get(callerOf(request), uuid, name)))
      })

      app.delete(path, { schema: schemas.remove, config }, async (request) => {
        await botPlatforms.remove(callerOf(request), request.params.uuid, name)
        return success({ removed: true })
      })
    }

    app.get('/api/v1/bots/:uuid/channels', { schema: list, config }, async (request) => {
      const found = await botPlatforms.list(callerOf(request), request.params.uuid)
      return success({ channels: found.map(({ channel, health, detail }) => ({ channel, health, detail })) })
    })
  }
}

function show(bot_uuid: string, channel: PlatformName, view: PlatformView) {
  const { settings, health, detail, disabledAt, disabledReason, updatedAt } = view
  const url = typeof settings['url'] === 'string' ? settings['url'] : null
  return {
    bot_uuid,
    channel,
    settings,
    url,
    health,
    detail,
    updated_at: updatedAt.toISOString(),
    ...{
      enabled: disabledAt === null,
      disabled_reason: disabledReason,
      disabled_at: disabledAt?.toISOString() ?? null,
    },
  }
}

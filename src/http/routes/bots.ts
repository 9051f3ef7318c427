import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { Id } from '../schemas/chat'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../schemas/envelope'

const BotView = Type.Object({ uuid: Type.String(), name: Type.String(), pipeline_uuid: Type.String() })

const list = {
  operationId: 'listBots',
  summary: 'The bots you may see; the first is your default',
  tags: ['access'],
  response: { 200: successSchema(Type.Object({ bots: Type.Array(BotView) })), ...GUARDED },
}

const create = {
  operationId: 'createBot',
  summary: 'Make a bot',
  tags: ['access'],
  body: Type.Object({
    name: Id(200),
    uuid: Type.Optional(Id(255)),
    pipeline_uuid: Type.Optional(Type.String({ minLength: 1, maxLength: 255, examples: ['assistant', 'tasks'] })),
  }),
  response: { 201: successSchema(BotView), ...GUARDED, ...WITH_BODY, ...failures(409) },
}

const params = Type.Object({ uuid: Id(255) })
const get = {
  operationId: 'getBot',
  summary: 'One bot',
  tags: ['access'],
  params,
  response: { 200: successSchema(BotView), ...GUARDED, ...failures(404) },
}
const update = {
  operationId: 'changeBot',
  summary: 'Rename a bot, or give it another pipeline',
  tags: ['access'],
  params,
  body: Type.Object({ name: Type.Optional(Id(200)), pipeline_uuid: Type.Optional(Id(255)) }),
  response: { 200: successSchema(BotView), ...GUARDED, ...WITH_BODY, ...failures(404) },
}
const remove = {
  operationId: 'deleteBot',
  summary: 'Delete a bot that has promised nothing; its history stays',
  tags: ['access'],
  params,
  response: {
    200: successSchema(Type.Object({ deleted: Type.Boolean() })),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404, 409),
  },
}

export function botRoutes({ access }: FrontDoor): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/bots', { schema: list, config: { auth: 'read' } }, async (request) => {
      const bots = await access.listBots(callerOf(request))
      return success({ bots: bots.map(showBot) })
    })

    app.post('/api/v1/bots', { schema: create, config: { auth: 'admin' } }, async (request, reply) => {
      const { name, uuid, pipeline_uuid: pipelineUuid } = request.body
      reply.code(201)
      return success(showBot(await access.createBot(callerOf(request), { name, uuid, pipelineUuid })))
    })

    app.get('/api/v1/bots/:uuid', { schema: get, config: { auth: 'read' } }, async (request) =>
      success(showBot(await access.getBot(callerOf(request), request.params.uuid))),
    )

    app.patch('/api/v1/bots/:uuid', { schema: update, config: { auth: 'admin' } }, async (request) => {
      const { name, pipeline_uuid: pipelineUuid } = request.body
      return success(showBot(await access.updateBot(callerOf(request), request.params.uuid, { name, pipelineUuid })))
    })

    app.delete('/api/v1/bots/:uuid', { schema: remove, config: { auth: 'admin' } }, async (request) => {
      await access.deleteBot(callerOf(request), request.params.uuid)
      return success({ deleted: true })
    })
  }
}

function showBot(bot: { uuid: string; name: string; pipelineUuid: string }) {
  return { uuid: bot.uuid, name: bot.name, pipeline_uuid: bot.pipelineUuid }
}

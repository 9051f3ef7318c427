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
  }
}

function showBot(bot: { uuid: string; name: string; pipelineUuid: string }) {
  return { uuid: bot.uuid, name: bot.name, pipeline_uuid: bot.pipelineUuid }
}

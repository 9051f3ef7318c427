import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Bot } from '../../engine/generated/client'
import { callerOf } from '../../http/auth'
import type { Access } from '../access'
import { Id, Nullable } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'

const BUDGET = 'Tokens that its model calls may use in a day (UTC); null: any number.'
const rules = {
  allow: Type.Enum(['everyone', 'listed'], { description: 'Who may speak with it on platforms.' }),
  people: Type.Array(Id(255), {
    maxItems: 1_000,
    description: 'Those who are listed: the id of a sender, or `<channel>:<id>`.',
  }),
  daily_tokens: Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: BUDGET })),
  daily_tokens_per_person: Nullable(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: BUDGET }),
  ),
}
const BotView = Type.Object({ uuid: Type.String(), name: Type.String(), pipeline_uuid: Type.String(), ...rules })

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
  summary: 'Change a bot: its name, its pipeline, who may speak with it, what it may cost',
  tags: ['access'],
  params,
  body: Type.Partial(Type.Object({ name: Id(200), pipeline_uuid: Id(255), ...rules })),
  response: { 200: successSchema(BotView), ...GUARDED, ...WITH_BODY, ...failures(404) },
}
const remove = {
  operationId: 'deleteBot',
  summary: 'Delete a bot that has promised nothing, with all that was said to it',
  tags: ['access'],
  params,
  response: {
    200: successSchema(Type.Object({ deleted: Type.Boolean() })),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404, 409),
  },
}

export function botRoutes({ access }: { access: Access }): FastifyPluginAsyncTypebox {
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
      const { name, pipeline_uuid: pipelineUuid, allow, people, ...budgets } = request.body
      const change = {
        name,
        pipelineUuid,
        allow,
        people,
        dailyTokens: toBigInt(budgets.daily_tokens),
        dailyTokensPerPerson: toBigInt(budgets.daily_tokens_per_person),
      }
      return success(showBot(await access.updateBot(callerOf(request), request.params.uuid, change)))
    })

    app.delete('/api/v1/bots/:uuid', { schema: remove, config: { auth: 'admin' } }, async (request) => {
      await access.deleteBot(callerOf(request), request.params.uuid)
      return success({ deleted: true })
    })
  }
}

/** Left out stays left out, null takes the budget away. */
const toBigInt = (value: number | null | undefined) => (typeof value === 'number' ? BigInt(value) : value)
const toNumber = (value: bigint | null) => (value === null ? null : Number(value))

function showBot(bot: Bot) {
  return {
    uuid: bot.uuid,
    name: bot.name,
    pipeline_uuid: bot.pipelineUuid,
    allow: bot.allow === 'listed' ? ('listed' as const) : ('everyone' as const),
    people: bot.people,
    daily_tokens: toNumber(bot.dailyTokens),
    daily_tokens_per_person: toNumber(bot.dailyTokensPerPerson),
  }
}

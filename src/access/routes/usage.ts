import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../http/auth'
import type { UsageStore, UsageSummary } from '../usage-store'
import { Id, Nullable } from '../../http/schemas/primitives'
import { GUARDED, success, successSchema } from '../../http/schemas/envelope'

const Usage = Type.Object({
  day: Type.String({ description: 'UTC, YYYY-MM-DD.' }),
  bot_uuid: Nullable(Type.String()),
  model: Type.String({ description: 'The model that was called.' }),
  purpose: Type.String({ description: 'What for: chat, automation, memory, feedback, evaluation or other.' }),
  calls: Type.Integer({ description: 'How many calls answered.' }),
  prompt_tokens: Type.Integer({ description: 'Tokens that it read.' }),
  completion_tokens: Type.Integer({ description: 'Tokens that it wrote.' }),
  cached_tokens: Type.Integer({ description: 'Of those it read, the ones it had cached.' }),
  estimated: Type.Boolean({
    description: 'Some were counted from the length of texts, because the server did not say.',
  }),
})

const schema = {
  operationId: 'listUsage',
  summary: 'What model calls cost, by day, bot, model and purpose',
  tags: ['operations'],
  querystring: Type.Object({
    bot_uuid: Type.Optional(Id(255)),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 90, default: 7, description: 'Today and the days before.' }),
    ),
  }),
  response: {
    200: successSchema(
      Type.Object({ usage: Type.Array(Usage, { description: 'Newest day first.' }), count: Type.Integer() }),
    ),
    ...GUARDED,
  },
}

/** The ledger of model calls, summed. */
export function usageRoutes({ usage }: { usage: Pick<UsageStore, 'summarise'> }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/usage', { schema, config: { auth: 'read' } }, async (request) => {
      const { bot_uuid: botUuid, days = 7 } = request.query
      const found = await usage.summarise({ bots: callerOf(request).bots, botUuid, days })
      return success({ usage: found.map(showUsage), count: found.length })
    })
  }
}

const showUsage = ({ botUuid, promptTokens, completionTokens, cachedTokens, ...sum }: UsageSummary) => ({
  ...sum,
  bot_uuid: botUuid,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  cached_tokens: cachedTokens,
})

import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Access } from '../access'
import { SCOPES } from '../../contracts/caller'
import { callerOf } from '../../http/auth'
import { Id, Nullable } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'

const fields = {
  id: Type.String(),
  name: Type.String(),
  last_four: Type.String({ description: 'The end of the key, to recognise it.' }),
  scopes: Type.Array(Type.String()),
  bot_uuids: Type.Array(Type.String(), { description: 'Empty: every bot.' }),
  created_at: Type.String(),
  last_used_at: Nullable(Type.String()),
  revoked_at: Nullable(Type.String()),
}
const KeyView = Type.Object(fields)

const list = {
  operationId: 'listApiKeys',
  summary: 'API keys, without the keys themselves',
  tags: ['access'],
  response: { 200: successSchema(Type.Object({ api_keys: Type.Array(KeyView), count: Type.Integer() })), ...GUARDED },
}

const create = {
  operationId: 'createApiKey',
  summary: 'Make an API key; it is shown this once',
  tags: ['access'],
  body: Type.Object({
    name: Id(200),
    scopes: Type.Array(Type.Enum(SCOPES), { minItems: 1, maxItems: 3, description: 'Each includes those before it.' }),
    bot_uuids: Type.Optional(Type.Array(Id(255), { maxItems: 100, description: 'Empty or absent: every bot.' })),
  }),
  response: {
    201: successSchema(Type.Object({ ...fields, key: Type.String({ examples: ['lbk_…'] }) })),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404),
  },
}

const revoke = {
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key; open streams of it end within five seconds',
  tags: ['access'],
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  response: { 200: successSchema(KeyView), ...GUARDED, ...WITH_BODY, ...failures(404) },
}

export function apiKeyRoutes({ access }: { access: Access }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/api-keys', { schema: list, config: { auth: 'admin' } }, async (request) => {
      const keys = await access.listApiKeys(callerOf(request))
      return success({ api_keys: keys.map(showKey), count: keys.length })
    })

    app.post('/api/v1/api-keys', { schema: create, config: { auth: 'admin' } }, async (request, reply) => {
      const { name, scopes, bot_uuids: botUuids = [] } = request.body
      const { key, record } = await access.createApiKey(callerOf(request), { name, scopes, botUuids })
      reply.code(201)
      return success({ ...showKey(record), key })
    })

    app.delete('/api/v1/api-keys/:id', { schema: revoke, config: { auth: 'admin' } }, async (request) =>
      success(showKey(await access.revokeApiKey(callerOf(request), request.params.id))),
    )
  }
}

function showKey(key: Awaited<ReturnType<Access['revokeApiKey']>>) {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    scopes: key.scopes,
    bot_uuids: key.botUuids,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}

import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../contracts/caller'
import { forbidden } from '../errors'
import { callerOf } from '../http/auth'
import type { PipelineDirectory } from './pipeline-directory'
import type { Access } from '../access/access'
import { Id, Nullable } from '../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../http/schemas/envelope'

const Overlays = Type.Record(Type.String(), Type.String({ maxLength: 10_000 }))
const fields = {
  base: Type.String({ maxLength: 255, description: 'The shipped profile it is made from.', examples: ['assistant'] }),
  instructions: Type.String({ maxLength: 20_000, description: 'Words of its own, after those of its base.' }),
  overlays: Overlays,
  tools: Type.Array(Id(200), { maxItems: 100, description: "Only these of the base's tools; empty: all of them." }),
  model: Nullable(Type.String({ maxLength: 200 })),
  tools_for_strangers: Type.Boolean({
    description: 'Offer plugins and MCP tools to people on Telegram and OneBot whom the bot does not list.',
  }),
}
const View = Type.Object({ uuid: Type.String(), name: Type.String(), ...fields, shipped: Type.Boolean() })
const Wish = Type.Partial(Type.Object({ name: Id(200), ...fields }))
const tags = ['access']
const params = Type.Object({ uuid: Id(255) })
const answers = { ...GUARDED, ...failures(404, 409) }

const list = {
  operationId: 'listPipelines',
  summary: 'Agent profiles: those that ship and those made from them',
  tags,
  response: { 200: successSchema(Type.Object({ pipelines: Type.Array(View), count: Type.Integer() })), ...GUARDED },
}
const create = {
  operationId: 'createPipeline',
  summary: 'Make an agent profile from a shipped one',
  tags,
  body: Type.Object({ ...Wish.properties, name: Id(200), uuid: Type.Optional(Id(255)) }),
  response: { 201: successSchema(View), ...answers, ...WITH_BODY },
}
const update = {
  operationId: 'changePipeline',
  summary: 'Change an agent profile; the next turn uses it',
  tags,
  params,
  body: Wish,
  response: { 200: successSchema(View), ...answers, ...WITH_BODY },
}
const remove = {
  operationId: 'removePipeline',
  summary: 'Remove an agent profile that no bot uses',
  tags,
  params,
  response: { 200: successSchema(Type.Object({ removed: Type.Boolean() })), ...answers, ...WITH_BODY },
}

/** Profiles are shared by all bots: only who may see all of them changes one. */
async function requireAllBots(request: FastifyRequest): Promise<void> {
  if (callerOf(request).bots !== 'all') throw forbidden('all_bots_required', 'this key is bound to some bots only')
}

export function pipelineRoutes({
  pipelines,
  access,
}: {
  pipelines: PipelineDirectory
  access: Access
}): FastifyPluginAsyncTypebox {
  const guard = { config: { auth: 'admin' as const }, preValidation: requireAllBots }
  /** Words of a profile are for who may see all bots, or has one that uses it. */
  async function readable(caller: Caller) {
    const [found, bots] = await Promise.all([pipelines.list(), access.listBots(caller)])
    const used = new Set(bots.map(({ pipelineUuid }) => pipelineUuid))
    const open = (uuid: string, shipped: boolean) => caller.bots === 'all' || shipped || used.has(uuid)
    return found.map((view) =>
      open(view.uuid, view.shipped) ? view : { ...view, instructions: '', overlays: {}, tools: [], model: null },
    )
  }
  return async (app) => {
    app.get('/api/v1/pipelines', { schema: list, config: { auth: 'read' } }, async (request) => {
      const found = await readable(callerOf(request))
      return success({ pipelines: found, count: found.length })
    })

    app.post('/api/v1/pipelines', { schema: create, ...guard }, async (request, reply) => {
      reply.code(201)
      return success(await pipelines.create(request.body))
    })

    app.patch('/api/v1/pipelines/:uuid', { schema: update, ...guard }, async (request) =>
      success(await pipelines.update(request.params.uuid, request.body)),
    )

    app.delete('/api/v1/pipelines/:uuid', { schema: remove, ...guard }, async (request) => {
      await pipelines.remove(request.params.uuid)
      return success({ removed: true })
    })
  }
}

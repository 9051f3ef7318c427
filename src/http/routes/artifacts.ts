import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound } from '../../errors'
import { callerOf } from '../auth'
import type { FrontDoor } from '../front-door'
import { failures, GUARDED } from '../schemas/envelope'

const schema = {
  operationId: 'getArtifact',
  summary: 'A file that a run has made',
  tags: ['runs'],
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  response: {
    200: {
      description: 'The file.',
      content: { 'application/octet-stream': { schema: Type.Unsafe({ type: 'string', format: 'binary' }) } },
    },
    ...GUARDED,
    ...failures(404),
  },
}

/** Plugins choose the type of what they make: it is offered as a download and never runs as a page of ours. */
export function artifactRoutes({ artifacts }: FrontDoor): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/artifacts/:id', { schema, config: { auth: 'read' } }, async (request, reply) => {
      const { bots } = callerOf(request)
      const found = await artifacts.find(request.params.id)
      if (!found || (bots !== 'all' && !bots.includes(found.botUuid))) throw notFound(`artifact ${request.params.id}`)
      const isImage = /^image\/(png|jpeg|gif|webp)$/.test(found.contentType)
      return reply
        .header('content-type', isImage ? found.contentType : 'application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(found.name)}`)
        .header('content-security-policy', 'sandbox')
        .send(Buffer.from(found.content))
    })
  }
}

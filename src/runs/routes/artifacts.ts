import { maySeeBot } from '../../contracts/caller'
import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../errors'
import { callerOf } from '../../http/auth'
import type { ArtifactStore } from '../artifact-store'
import type { SignedLinks } from '../../access/signed-links'
import { failures, GUARDED } from '../../http/schemas/envelope'

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

const linked = {
  ...schema,
  operationId: 'openArtifactLink',
  summary: 'A file that a run has made, by a link that was sent to somebody',
  description: 'Needs no key: the link is signed, for this file alone and for a week.',
  querystring: Type.Object({
    expires: Type.Integer({ description: 'When the link ends, in seconds since 1970.' }),
    signature: Type.String({ maxLength: 100, description: 'Made with the link; for this file and this end alone.' }),
  }),
  response: { 200: schema.response[200], ...failures(400, 404, 500) },
}

/** Plugins choose the type of what they make: it is offered as a download and never runs as a page of ours. */
export function artifactRoutes({
  artifacts,
  artifactLinks,
}: {
  artifacts: ArtifactStore
  artifactLinks: Pick<SignedLinks, 'isValid'>
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/artifacts/:id', { schema, config: { auth: 'read' } }, async (request, reply) => {
      const caller = callerOf(request)
      const found = await artifacts.find(request.params.id)
      if (!found || !maySeeBot(caller, found.botUuid)) throw notFound(`artifact ${request.params.id}`)
      return sendFile(reply, found)
    })

    app.get('/api/v1/artifacts/:id/file', { schema: linked, config: { auth: 'public' } }, async (request, reply) => {
      const { id } = request.params
      const found = artifactLinks.isValid(id, request.query) ? await artifacts.find(id) : null
      if (!found) throw notFound(`artifact ${id}`, 'The link is wrong, or it is older than a week.')
      return sendFile(reply, found)
    })
  }
}

function sendFile(
  reply: FastifyReply,
  { contentType, name, content }: NonNullable<Awaited<ReturnType<ArtifactStore['find']>>>,
) {
  const isImage = /^image\/(png|jpeg|gif|webp)$/.test(contentType)
  return reply
    .header('content-type', isImage ? contentType : 'application/octet-stream')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('content-security-policy', 'sandbox')
    .send(Buffer.from(content))
}

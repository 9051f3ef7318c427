import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Nullable } from '../schemas/primitives'
import { GUARDED, success, successSchema } from '../schemas/envelope'

/** What is told of this server. */
export interface About {
  version: string
  model: string
  temporalUiUrl: string | undefined
  temporalNamespace: string
}

const schema = {
  operationId: 'about',
  summary: 'What answers here, and where its workflows can be seen',
  tags: ['operations'],
  response: {
    200: successSchema(
      Type.Object({
        version: Type.String(),
        model: Type.String(),
        temporal_ui_url: Nullable(Type.String({ description: 'Null where nobody has named it.' })),
        temporal_namespace: Type.String(),
      }),
    ),
    ...GUARDED,
  },
}

export function aboutRoutes({ about }: { about: About }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/about', { schema, config: { auth: 'read' } }, async () =>
      success({
        version: about.version,
        model: about.model,
        temporal_ui_url: about.temporalUiUrl ?? null,
        temporal_namespace: about.temporalNamespace,
      }),
    )
  }
}

import { Type } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FrontDoor } from '../front-door'
import { Nullable } from '../schemas/chat'
import { GUARDED, success, successSchema } from '../schemas/envelope'

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

export function aboutRoutes({ about }: FrontDoor): FastifyPluginAsyncTypebox {
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

import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'

const SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }]

/** OpenAPI 3.1 from the schemas that the routes check and answer with. Registered before the routes it collects. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Punctual', description: 'An agent backend that keeps its word on time.', version },
      tags: ['chat', 'sessions', 'access', 'operations'].map((name) => ({ name })),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A token of /api/v1/auth/login, or an API key.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key: lbk_…' },
        },
      },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `def-${index}`),
    },
    transform: ({ schema, url, route }) => ({ schema: addSecurity(schema, route), url }),
  })
}

/** The pages that show it, under /docs; the document itself is at /docs/json. */
export async function serveDocumentation(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, auth: 'public' }))
    await scope.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      // The page is also served over plain HTTP, and asks nobody else.
      transformStaticCSP: (policy) =>
        policy
          .replace(' upgrade-insecure-requests;', '')
          .replaceAll(' https:', '')
          .replace(' validator.swagger.io', ''),
      uiConfig: { validatorUrl: null, persistAuthorization: false },
    })
  })
}

function addSecurity(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  const rule = route.config?.auth
  if (rule === undefined || rule === 'public') return { ...schema }
  const note = `Needs the scope \`${rule}\`.`
  return { ...schema, security: SECURITY, description: [schema?.description, note].filter(Boolean).join('\n\n') }
}

import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { GLOSSARY, TAGS } from './glossary'
import { REASONS } from './schemas/envelope'

const SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }]

/** OpenAPI 3.1 from the schemas that the routes check and answer with. Registered before the routes it collects. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Punctual',
        description: 'An agent backend that keeps its word on time.',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The front door that serves this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
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
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      describeParts(document.openapiObject)
      return document.openapiObject
    },
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

/** Names mean the same everywhere, so what a schema leaves unsaid is taken from the glossary, in the document alone. */
function describeParts(part: unknown, status?: string): void {
  if (Array.isArray(part)) return part.forEach((item) => describeParts(item))
  if (!isRecord(part)) return
  if (typeof part['name'] === 'string' && typeof part['in'] === 'string') describe(part, part['name'])
  if (isRecord(part['properties'])) {
    for (const [name, property] of Object.entries(part['properties'])) describe(property, name)
  }
  if (status !== undefined && (part['description'] ?? 'Default Response') === 'Default Response') {
    part['description'] = meaningOf(status)
  }
  for (const [name, inside] of Object.entries(part)) {
    if (name === 'responses' && isRecord(inside)) {
      for (const [of, answer] of Object.entries(inside)) describeParts(answer, of)
    } else if (name !== 'example' && name !== 'examples') describeParts(inside)
  }
}

function describe(part: unknown, name: string): void {
  const meaning = GLOSSARY[name.toLowerCase()] ?? GLOSSARY[name]
  if (isRecord(part) && part['description'] === undefined && meaning !== undefined) part['description'] = meaning
}

const meaningOf = (status: string) =>
  status.startsWith('2') ? 'Done.' : REASONS[Number(status) as keyof typeof REASONS]

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

import type { FastifyInstance } from 'fastify'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  guarded: boolean
  scope: string | undefined
  operation: OpenApiOperation
}

export interface OpenApiOperation {
  operationId?: string
  description?: string
  security?: Record<string, string[]>[]
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; description?: string }[]
  requestBody?: { content: Record<string, { schema: SchemaPart }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: object }> }>
}

export interface SchemaPart {
  description?: string
  properties?: Record<string, SchemaPart>
  items?: SchemaPart
  anyOf?: SchemaPart[]
}

export interface OpenApiDocument {
  openapi: string
  info: { license?: { name: string } }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

export async function readDocument(app: FastifyInstance): Promise<OpenApiDocument> {
  return (await app.inject({ url: '/docs/json' })).json<OpenApiDocument>()
}

/** Every operation of the document: tests over it grow with the routes. */
export async function listOperations(app: FastifyInstance): Promise<Operation[]> {
  const { paths } = await readDocument(app)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Operation['method'],
      path,
      guarded: operation.security !== undefined,
      scope: /Needs the scope `(\w+)`/.exec(operation.description ?? '')?.[1],
      operation,
    })),
  )
}

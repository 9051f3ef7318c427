import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from '@fastify/type-provider-typebox'

/** Text from an address is turned into the number the schema asks for; a JSON body must be right as it is. */
export function createValidator(): FastifySchemaCompiler<TSchema> {
  const formats = {
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    'date-time': true,
  } as const
  const body = new Ajv({ strict: false, formats })
  const address = new Ajv({ strict: false, formats, coerceTypes: true })
  return ({ schema, httpPart }) => (httpPart === 'body' ? body : address).compile(schema)
}

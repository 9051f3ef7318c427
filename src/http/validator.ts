import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from '@fastify/type-provider-typebox'

type Check = ReturnType<FastifySchemaCompiler<TSchema>>

/**
 * Text from an address is turned into the number the schema asks for; a JSON body must be right as it is. All that is wrong
 * is found at once; bodies and lists are small enough for that. A schema is compiled when the first request comes.
 */
export function createValidator(): FastifySchemaCompiler<TSchema> {
  const formats = {
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
    'date-time': true,
  } as const
  const common = { strict: false, formats, allErrors: true, verbose: true }
  const body = new Ajv(common)
  const address = new Ajv({ ...common, coerceTypes: true })
  return ({ schema, httpPart }) => {
    let compiled: Check | undefined
    const check: Check = (value: unknown) => {
      compiled ??= (httpPart === 'body' ? body : address).compile(schema)
      const isRight = compiled(value)
      check.errors = compiled.errors
      return isRight
    }
    return check
  }
}

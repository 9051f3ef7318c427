import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type SerializerFactory = ReturnType<typeof SerializerSelector>

/**
 * What writes the answers of a route is compiled when the first one is written. Compiled at the start, all of them take a
 * good part of its time and of the memory at rest, for routes that nobody has asked for; a test compiles every one.
 */
export function createSerializerFactory(): SerializerFactory {
  const select = SerializerSelector()
  return (schemas, options) => {
    const compile = select(schemas, options)
    return (route) => {
      let write: ReturnType<typeof compile> | undefined
      return (answer) => (write ??= compile(route))(answer)
    }
  }
}

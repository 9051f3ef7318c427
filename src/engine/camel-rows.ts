import { Query } from 'pg'
import type { Client, FieldDef, QueryConfig, QueryResult, Submittable } from 'pg'

declare module 'pg' {
  interface Query {
    /** What a client tells a query before its rows come; part of what every `Submittable` of pg answers to. */
    handleRowDescription(message: { fields: FieldDef[] }): void
  }
}

type Callback = (error: Error | undefined, result: QueryResult) => void
type Ask = (query: Submittable | QueryConfig, values?: unknown[], callback?: Callback) => unknown

export const toCamelCase = (name: string) => name.replace(/(?!^)_([a-z\d])/g, (_, next: string) => next.toUpperCase())

/** So many statements are planned once a connection; what is put together from many parts must not fill its memory. */
const PREPARED_LIMIT = 500

/** Names a statement by its text, so that each connection parses and plans it once. Undefined when there are too many. */
export type Prepare = (text: string) => string | undefined

export function createPrepare(): Prepare {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED_LIMIT) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

/** The names change once a result, before its rows are built, so that a row costs what it did. */
class CamelQuery extends Query {
  override handleRowDescription(message: { fields: FieldDef[] }): void {
    for (const field of message.fields) field.name = toCamelCase(field.name)
    super.handleRowDescription(message)
  }
}

/**
 * Makes a client answer `bot_uuid` as `botUuid`, so that a row is what the code speaks of. Values are left as they are, also
 * the names inside of JSON. Rows asked for as arrays keep the names of the database: Prisma knows its columns by them.
 */
export function answerInCamelCase(client: Client, prepare: Prepare): void {
  const ask = client.query.bind(client) as Ask
  const toConfig = (text: string, values?: unknown[]): QueryConfig =>
    values && values.length > 0 ? { name: prepare(text), text, values } : { text }
  function query(config: string | QueryConfig | Submittable, values?: unknown[], callback?: Callback): unknown {
    if (typeof config !== 'string' && ('submit' in config || 'rowMode' in config)) return ask(config, values, callback)
    const known = typeof config === 'string' ? toConfig(config, values) : config
    if (callback) return ask(new CamelQuery(known, undefined, callback))
    return new Promise((resolve, reject) => {
      ask(new CamelQuery(known, undefined, (error, result) => (error ? reject(error) : resolve(result))))
    }).catch((error: Error) => {
      // As pg does it: the trace leads to whoever asked, not to the socket.
      Error.captureStackTrace(error)
      throw error
    })
  }
  Object.assign(client, { query })
}

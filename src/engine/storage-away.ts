import { types } from 'node:util'

/** What node-postgres says in words only, when it gives up on a connection. */
const WORDS = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]
/** SQLSTATE classes 08 (connection), 53 (too many, out of room), 57P (shut down, starting), what sockets say, and our own word for it. */
const CODE =
  /^(08\w{3}|53\w{3}|57P0\d|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|P1001|P1002|P1008|P1017|P2024|P2037|storage_failed)$/
const DEPTH = 5

/** Whether an error says that PostgreSQL cannot be reached at this moment, whoever threw it and however it is wrapped. */
export function isStorageAway(error: unknown, depth = DEPTH): boolean {
  if (!isError(error) || depth === 0) return false
  const code = 'code' in error ? String(error.code) : ''
  if (CODE.test(code) || WORDS.some((words) => error.message.includes(words))) return true
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return [error.cause, ...inner].some((each) => isStorageAway(each, depth - 1))
}

/** Also errors of Node's own realm, which a sandbox does not know as its own. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error)

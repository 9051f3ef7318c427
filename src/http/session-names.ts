import type { FastifyInstance } from 'fastify'
import type { Caller } from '../contracts/caller'
import { scopedKey } from '../contracts/session-key'

const NAMES = new Set(['session_key', 'session_id'])

/**
 * A session whose key another bot had first is kept with its bot before it. Who uses one bot only never sees that: every
 * answer says the key as that caller gave it. Who uses several gets it whole, since the short form may mean another one.
 */
export function nameSessions(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, _reply, payload) => inOwnNames(request.caller, payload))
}

/** The same data with the keys of sessions as the caller knows them. */
export function inOwnNames(caller: Caller | undefined, data: unknown): unknown {
  const scope = caller && scopeOf(caller)
  return scope === undefined ? data : shorten(data, scope)
}

/** The key as the caller knows it. */
export function shownKey(caller: Caller, sessionKey: string): string {
  const scope = scopeOf(caller)
  return scope === undefined ? sessionKey : withoutScope(sessionKey, scope)
}

function scopeOf({ bots }: Caller): string | undefined {
  return bots === 'all' || bots.length !== 1 ? undefined : scopedKey(bots[0]!, '')
}

const withoutScope = (key: string, scope: string) => (key.startsWith(scope) ? key.slice(scope.length) : key)

function shorten(value: unknown, scope: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shorten(item, scope))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [
      name,
      typeof item === 'string' && NAMES.has(name) ? withoutScope(item, scope) : shorten(item, scope),
    ]),
  )
}

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Access } from '../access/access'
import type { Caller, Scope } from '../contracts/caller'
import { AppError, forbidden, unauthorized } from '../errors'
import { readCredential } from './credentials'

/** Who may use a route: anyone, or a caller with this scope. */
export type AuthRule = 'public' | Scope

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: AuthRule
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** Asks again who is there; a stream does so while it lasts. */
    authenticate(): Promise<Caller>
  }
}

/** Default deny: a route without a rule keeps the app from starting, and a request without a caller from getting in. */
export function guardRoutes(app: FastifyInstance, access: Access): void {
  const routes: RouteOptions[] = []
  // Looked at when all plugins are loaded: one that brings routes of its own gets its rule from the scope around it.
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const open = routes.filter((route) => route.config?.auth === undefined)
    if (open.length > 0) throw new AppError('route_without_rule', `no auth rule for ${open.map(nameOf).join(', ')}`)
  })

  app.decorateRequest('caller', undefined)
  app.decorateRequest('authenticate', async function (this: FastifyRequest) {
    return access.authenticate(readCredential(this))
  })
  app.addHook('onRequest', async (request) => {
    const rule = request.routeOptions.config.auth
    if (request.is404 || rule === 'public') return
    const caller = await request.authenticate()
    if (rule === undefined || !caller.scopes.includes(rule)) {
      throw forbidden('missing_scope', `this needs the scope ${rule ?? 'that nobody has'}`)
    }
    request.caller = caller
  })
}

/** The caller of a guarded route. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw unauthorized('this needs a key or a token')
  return request.caller
}

function nameOf(route: RouteOptions): string {
  return `${String(route.method)} ${route.url}`
}

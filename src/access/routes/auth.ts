import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { tooMany } from '../../errors'
import { TOKEN_VALID_SECONDS } from '../../http/credentials'
import type { Access } from '../access'
import { failures, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'

const Password = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 100 }),
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
})
const Link = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200, description: 'Of a sign-in link.' }) })

const schema = {
  operationId: 'login',
  summary: 'Sign in with name and password, or with a sign-in link',
  tags: ['access'],
  body: Type.Union([Password, Link]),
  response: {
    200: successSchema(
      Type.Object({
        token: Type.String(),
        token_type: Type.Literal('Bearer'),
        expires_at: Type.String(),
        user: Type.Object({ id: Type.String(), username: Type.String(), role: Type.String() }),
      }),
    ),
    ...WITH_BODY,
    ...failures(400, 401, 422, 429, 500, 503),
  },
}

const MINUTE_MS = 60_000

export function authRoutes({ access }: { access: Access }): FastifyPluginAsyncTypebox {
  return async (app) => {
    const byAddress = app.createRateLimit({ max: 30, timeWindow: MINUTE_MS, keyGenerator: ({ ip }) => `address:${ip}` })
    const byPair = app.createRateLimit({ max: 10, timeWindow: MINUTE_MS, keyGenerator: pairKey })
    const byName = app.createRateLimit({ max: 100, timeWindow: MINUTE_MS, keyGenerator: nameKey })

    const slowDown = async (request: FastifyRequest) => {
      for (const check of [byAddress, byPair, byName]) {
        const limit = await check(request)
        if (!limit.isAllowed && limit.isExceeded) {
          throw tooMany('too_many_logins', 'too many tries to sign in', limit.ttlInSeconds)
        }
      }
    }

    app.post('/api/v1/auth/login', { schema, config: { auth: 'public' }, preHandler: slowDown }, async (request) => {
      const { body } = request
      const user =
        'token' in body ? await access.loginWithToken(body.token) : await access.login(body.username, body.password)
      const expiresAt = new Date(Date.now() + TOKEN_VALID_SECONDS * 1_000)
      return success({
        token: app.jwt.sign({ sub: user.id }),
        token_type: 'Bearer' as const,
        expires_at: expiresAt.toISOString(),
        user: { id: user.id, username: user.username, role: user.role },
      })
    })
  }
}

/** One address and one name: nobody else can keep a person out by trying that person's name. */
const pairKey = (request: FastifyRequest) => `${nameKey(request)} from ${request.ip}`

/** A name that many addresses try at once is slowed down in the end; sign-in links have no name and count by address. */
function nameKey({ body, ip }: FastifyRequest): string {
  const named = typeof body === 'object' && body !== null && 'username' in body
  return named ? `name:${String(body.username)}` : `link:${ip}`
}

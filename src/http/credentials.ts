import fastifyJwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_KEY_PREFIX } from '../contracts/caller'
import type { Credential } from '../access/authentication'
import { badRequest, unauthorized } from '../errors'

const ISSUER = 'punctual'
const AUDIENCE = 'punctual-api'
const USER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const TOKEN_VALID_SECONDS = 12 * 3_600

/** One algorithm, issuer and audience: a token that says anything else was not made here. */
export async function registerTokens(app: FastifyInstance, secret: string): Promise<void> {
  await app.register(fastifyJwt, {
    secret,
    sign: { algorithm: 'HS256', iss: ISSUER, aud: AUDIENCE, expiresIn: TOKEN_VALID_SECONDS },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      allowedSub: USER_ID,
      requiredClaims: ['sub', 'iss', 'aud', 'exp'],
    },
  })
}

/** What the request brought to show who is asking; throws when it brought nothing, nonsense or two things. */
export function readCredential(request: FastifyRequest): Credential {
  const given = givenSecret(request)
  if (given === undefined) {
    throw unauthorized('this needs a key or a token', 'Send X-API-Key, or Authorization: Bearer with a key or a token.')
  }
  if (given.startsWith(API_KEY_PREFIX)) return { kind: 'api_key', key: given }
  try {
    return { kind: 'user', userId: request.server.jwt.verify<{ sub: string }>(given).sub }
  } catch {
    throw unauthorized('the token is not valid or has ended', 'Sign in again.')
  }
}

function givenSecret({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key']?.toString()
  const bearer = readBearer(headers.authorization)
  if (key !== undefined && !key.startsWith(API_KEY_PREFIX))
    throw unauthorized('X-API-Key takes a key that begins with lbk_')
  if (key !== undefined && bearer !== undefined && key !== bearer) {
    throw badRequest('conflicting_credentials', 'X-API-Key and Authorization name two different callers', 'Send one.')
  }
  return key ?? bearer
}

function readBearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [, secret] = /^Bearer +(\S+) *$/i.exec(header) ?? []
  if (secret === undefined) throw unauthorized('Authorization must be Bearer with a key or a token')
  return secret
}

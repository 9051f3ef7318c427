import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { JsonObject } from '../../contracts/words'
import { badRequest } from '../../errors'

const PREFIX = 'whsec_'
const MADE_BYTES = 32
const MIN_BYTES = 24
const MAX_BYTES = 64
/** How long a replaced secret still signs, so that receivers can change theirs without missing a message. */
export const ROTATION_MS = 24 * 60 * 60_000

const SecretsSchema = Type.Object({
  current: Type.String(),
  previous: Type.Optional(Type.Object({ secret: Type.String(), untilMs: Type.Number() })),
})

/** The secrets of one endpoint as they are sealed together in its row. */
export interface WebhookSecrets {
  current: string
  previous?: { secret: string; untilMs: number }
}

export function makeSecret(): string {
  return PREFIX + randomBytes(MADE_BYTES).toString('base64')
}

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function requireSecret(secret: string): string {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(encoded, 'base64')
  const sound = bytes.toString('base64') === encoded && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES
  if (sound) return secret
  throw badRequest(
    'bad_secret',
    'the secret is not one of Standard Webhooks',
    `Use ${PREFIX} and ${MIN_BYTES} to ${MAX_BYTES} random bytes in base64, or leave it out and one is made.`,
  )
}

/** The next secrets once `wanted` is asked for; the one it replaces stays valid for a day. */
export function rotate(present: WebhookSecrets | null, wanted: string, nowMs: number): WebhookSecrets {
  if (present === null) return { current: wanted }
  if (present.current === wanted) return present
  return { current: wanted, previous: { secret: present.current, untilMs: nowMs + ROTATION_MS } }
}

/** Those that sign now, the current one first. */
export function validSecrets({ current, previous }: WebhookSecrets, nowMs: number): string[] {
  return previous && previous.untilMs > nowMs ? [current, previous.secret] : [current]
}

export const isSecrets = (secrets: unknown): secrets is WebhookSecrets => Value.Check(SecretsSchema, secrets)

export function parseSecrets(secrets: JsonObject): WebhookSecrets {
  return Value.Parse(SecretsSchema, secrets)
}

import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { PlatformRequest } from '../channel'
import { validSecrets } from './secrets'
import type { WebhookSecrets } from './secrets'

/** What was signed longer ago, or is signed for later, may be somebody's who listened. */
const TOLERANCE_SECONDS = 5 * 60

/**
 * Whether a program that knows a secret has signed this just now, by Standard Webhooks. The library itself would ask the clock of this
 * process, which may be wrong; the one that counts is asked only for what is signed rightly, so that strangers cost no question.
 */
export async function isSigned(
  secrets: WebhookSecrets,
  { headers, body }: PlatformRequest,
  clock: { now(): Promise<Date> },
): Promise<boolean> {
  const id = headers['webhook-id'] ?? ''
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  const seconds = Number(timestamp)
  const given = (headers['webhook-signature'] ?? '').split(' ')
  const isSignedBy = (secret: string) => {
    const expected = new Webhook(secret).sign(id, new Date(seconds * 1_000), body)
    return given.some((signature) => isEqual(signature, expected))
  }
  const { current, previous } = secrets
  if (!isSignedBy(current) && !(previous && isSignedBy(previous.secret))) return false
  const now = (await clock.now()).getTime()
  const isNew = Math.abs(Math.floor(now / 1_000) - seconds) <= TOLERANCE_SECONDS
  return isNew && validSecrets(secrets, now).some(isSignedBy)
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

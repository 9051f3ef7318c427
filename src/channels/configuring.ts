import type { JsonObject } from '../contracts/words'
import type { Egress } from '../egress/egress'
import { EgressError } from '../egress/failures'
import { badRequest } from '../errors'

/** A text an administrator gave under this name; an empty one counts as none. */
export function textIn(wanted: JsonObject, name: string): string | undefined {
  const value = wanted[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= 2_048) return value.trim()
  throw badRequest('validation_failed', `${name} must be a text of at most 2048 characters`)
}

const HINTS: Partial<Record<EgressError['code'], string>> = {
  bad_url: 'Give a whole URL such as https://example.com/hook.',
  address_not_allowed:
    'It must be reachable in the open internet. If this host is your own, name it in TRUSTED_EGRESS_HOSTS.',
}

/** A URL that we may call, or a refusal that says why not. */
export function checkedUrl(egress: Pick<Egress, 'check'>, url: string): string {
  try {
    return egress.check(url).href
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw badRequest(error.code, error.message, HINTS[error.code])
  }
}

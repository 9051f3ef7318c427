import { isIP } from 'node:net'
import { EgressRefused } from './failures'
import { isPublicAddress } from './public-address'
import { plainHost, portOf } from './trusted-hosts'
import type { TrustedHosts } from './trusted-hosts'

/**
 * What can be said about a URL without asking DNS. Decimal, octal and full-width spellings of an address are plain
 * ones once the URL is parsed; names are checked by what they resolve to, when the connection is made.
 */
export function checkUrl(input: string, isTrusted: TrustedHosts): URL {
  if (!URL.canParse(input)) throw new EgressRefused('bad_url', 'this is not a URL')
  const url = new URL(input)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressRefused('scheme_not_allowed', `only http and https are called, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressRefused('credentials_in_url', 'a URL with a user name or password is not called')
  }
  const host = plainHost(url.hostname)
  if (isInside(host) && !isTrusted(host, portOf(url))) throw refusedAddress(host)
  return url
}

export function refusedAddress(host: string): EgressRefused {
  return new EgressRefused('address_not_allowed', `${host} is not an address of the open internet`)
}

function isInside(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return host === 'localhost' || host.endsWith('.localhost')
}

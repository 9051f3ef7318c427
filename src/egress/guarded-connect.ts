import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { refusedAddress } from './check-url'
import { EgressUnreachable } from './failures'
import { isPublicAddress } from './public-address'
import { portOf } from './trusted-hosts'
import type { TrustedHosts } from './trusted-hosts'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>
/** Opens the connection to one of these addresses and to no other. */
export type Dial = (
  addresses: LookupAddress[],
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => void

export interface ConnectParts {
  isTrusted: TrustedHosts
  resolve?: Resolve
  dial?: Dial
}

const CONNECT_TIMEOUT_MS = 5_000

/**
 * Resolves once, checks every address, and connects to what was checked: a name that answers differently the second
 * time is never asked a second time. One forbidden address among several refuses the name.
 */
export function createGuardedConnect(parts: ConnectParts): buildConnector.connector {
  const { isTrusted, resolve = resolveBySystem, dial = dialPinned } = parts
  const admit = async (options: buildConnector.Options): Promise<LookupAddress[]> => {
    const { hostname } = options
    const family = isIP(hostname)
    const addresses =
      family === 0 ? await resolve(hostname).catch(unresolved(hostname)) : [{ address: hostname, family }]
    const allowed = addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address))
    if (!allowed && !isTrusted(hostname, portOf(options))) throw refusedAddress(hostname)
    return addresses
  }
  return (options, callback) => {
    admit(options)
      .then((addresses) => dial(addresses, options, callback))
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null))
  }
}

function unresolved(hostname: string) {
  return (cause: unknown): never => {
    throw new EgressUnreachable('dns_failed', `the name ${hostname} cannot be resolved`, { cause })
  }
}

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true })

const dialPinned: Dial = (addresses, options, callback) => {
  const answerPinned: LookupFunction = (_hostname, { all }, answer) => {
    if (all) return answer(null, addresses)
    const first = addresses[0]
    return first
      ? answer(null, first.address, first.family)
      : answer(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
  }
  buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: answerPinned })(options, callback)
}

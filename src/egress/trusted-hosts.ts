import { isIPv6 } from 'node:net'

/** Says whether the operator trusts this host, and with it whatever address it has. */
export type TrustedHosts = (hostname: string, port: number) => boolean

/** Reads `TRUSTED_EGRESS_HOSTS`: `host` (every port) or `host:port`. */
export function readTrustedHosts(entries: readonly string[]): TrustedHosts {
  const trusted = new Set(entries.map(readEntry))
  return (hostname, port) => {
    const host = plainHost(hostname)
    return trusted.has(host) || trusted.has(`${host}:${port}`)
  }
}

function readEntry(entry: string): string {
  const bracketed = isIPv6(entry) ? `[${entry}]` : entry
  const [, host, port] = /^(\[[^\]]+\]|[^:/@?#\s]+)(?::(\d{1,5}))?$/.exec(bracketed) ?? []
  if (host === undefined || !URL.canParse(`http://${host}`)) {
    throw new Error(`TRUSTED_EGRESS_HOSTS: "${entry}" is not a host or host:port`)
  }
  return plainHost(new URL(`http://${host}`).hostname) + (port === undefined ? '' : `:${Number(port)}`)
}

/** Without the brackets of IPv6 and the dot that ends a full name. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf({ protocol, port }: { protocol: string; port: string }): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

import ipaddr from 'ipaddr.js'

const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::')
const GLOBAL_IPV6_BITS = 3
/** Clouds answer for their machines at this address although it lies in a public range. */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

/** Whether the address lies in the open internet. All that is private, special or wraps an IPv4 address does not. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || CLOUD_SERVICES.has(parsed.toString())) return false
  // The library calls everything it has no name for unicast, IPv4-compatible addresses such as ::127.0.0.1 too.
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6, GLOBAL_IPV6_BITS)
}

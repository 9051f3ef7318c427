import { findFreePort, portFault } from './ports'
import { waitUntil } from './wait'

/** The front door of a killed start may still be draining when the next start comes. */
const DRAIN_WITHIN_MS = 20_000

export interface FrontDoorPlace {
  host: string
  /** 0 asks for any free port. */
  port: number
}

/** The port the front door will listen on, or an error that names the setting to change. */
export async function settleFrontDoorPort({ host, port }: FrontDoorPlace, waitForDrain: boolean): Promise<number> {
  if (port === 0) return findFreePort(host)
  let fault: string | undefined
  const isFree = async () => (fault = await portFault(port, host)) === undefined
  if (await waitUntil(isFree, { timeoutMs: waitForDrain ? DRAIN_WITHIN_MS : 0, everyMs: 200 })) return port
  throw new Error(explain(fault ?? '', host, port))
}

function explain(fault: string, host: string, port: number): string {
  if (fault === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Set PORT to another one, such as PORT=${port + 1} npm start`
  if (fault === 'EACCES') return `Port ${port} may not be used without privileges. Set PORT to one above 1023`
  if (fault === 'EADDRNOTAVAIL' || fault === 'ENOTFOUND') return `HOST=${host} is not an address of this machine`
  return `Port ${port} on ${host} cannot be used (${fault}). Set PORT or HOST to others`
}

/** How people on this machine reach it: an address that means "everywhere" cannot be opened. */
export function frontDoorUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

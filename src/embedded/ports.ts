import { randomInt } from 'node:crypto'
import net from 'node:net'
import { waitUntil } from './wait'

const LOOPBACK = '127.0.0.1'
const FIRST_CHOICE = 20_000
const LAST_CHOICE = 32_000
const FREED_WITHIN_MS = 2_000

export class PortTakenError extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is in use`)
    this.name = 'PortTakenError'
  }
}

/** Resolves to the reason when the port cannot be listened on, such as EADDRINUSE. */
export function portFault(port: number, host = LOOPBACK): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

export async function isPortFree(port: number, host = LOOPBACK): Promise<boolean> {
  return (await portFault(port, host)) === undefined
}

/**
 * A port nobody listens on at this moment; whoever takes it must still be ready to lose the race. Below the range that
 * systems give to outgoing connections: there a client that keeps knocking on a dead server's port can end up with that
 * very port as its own, and the server cannot come back.
 */
export async function findFreePort(host = LOOPBACK): Promise<number> {
  for (let attempt = 1; attempt <= 200; attempt += 1) {
    const port = randomInt(FIRST_CHOICE, LAST_CHOICE)
    if (await isPortFree(port, host)) return port
  }
  throw new Error(`no free port was found from ${FIRST_CHOICE} to ${LAST_CHOICE}`)
}

/** Waits a little: the sockets of a killed process outlive it by moments. */
export async function requireFreePort(port: number): Promise<void> {
  const free = await waitUntil(() => isPortFree(port), { timeoutMs: FREED_WITHIN_MS, everyMs: 100 })
  if (!free) throw new PortTakenError(port)
}

export async function freePortNear(usual: number): Promise<number> {
  return (await isPortFree(usual)) ? usual : findFreePort()
}

/** Whether someone listens there. Unlike a trial bind it cannot get in the way of a server that is about to. */
export function isListening(port: number, host = LOOPBACK): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host, timeout: 1_000 })
    const answer = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', () => answer(true))
    socket.once('timeout', () => answer(false))
    socket.once('error', () => answer(false))
  })
}

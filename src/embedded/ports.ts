import net from 'node:net'

const LOOPBACK = '127.0.0.1'

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

/** A port nobody listens on at this moment; whoever takes it must still be ready to lose the race. */
export function findFreePort(host = LOOPBACK): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen({ port: 0, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() =>
        address === null || typeof address === 'string'
          ? reject(new Error('no port was given'))
          : resolve(address.port),
      )
    })
  })
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

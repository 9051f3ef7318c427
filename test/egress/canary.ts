import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'

/** Listens where nobody may call, and counts who does. */
export interface Canary {
  port: number
  connections(): number
  close(): Promise<void>
}

export async function startCanary(): Promise<Canary> {
  let connections = 0
  const answer = () =>
    createServer((socket) => {
      connections += 1
      socket.resume().on('error', () => undefined)
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary')
    })
  const v4 = answer()
  await listen(v4, 0, '127.0.0.1')
  const { port } = v4.address() as AddressInfo
  const v6 = answer()
  // A machine without IPv6 has nothing to guard there.
  const servers = (await listen(v6, port, '::1').catch(() => false)) ? [v4, v6] : [v4]
  return {
    port,
    connections: () => connections,
    close: async () => void (await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))),
  }
}

function listen(server: Server, port: number, host: string): Promise<true> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(true))
  })
}

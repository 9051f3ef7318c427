import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A line between two sides that can go dead without a word, as when a router forgets it. New lines still work. */
export interface StallingProxy {
  port: number
  /** Nothing more passes on the lines that are open now, and nobody is told. */
  stall(): void
  close(): Promise<void>
}

export async function startStallingProxy(targetPort: number): Promise<StallingProxy> {
  const lines = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    for (const socket of [near, far]) {
      lines.add(socket)
      socket.on('error', () => undefined)
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stall() {
      for (const socket of lines) socket.unpipe().pause()
    },
    async close() {
      for (const socket of lines) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to connections from now on; those that are open keep what they have, unless it says otherwise. */
export interface FaultProxy {
  port: number
  /** The same address with the proxy in between. */
  through(url: string): string
  /** As if it were not there. */
  pass(): void
  /** New connections are closed at once, open ones with them. */
  refuse(): void
  /** Every piece of data of new connections comes this much later, in order. */
  delay(ms: number): void
  /** New connections are cut without a word after the server has said so many bytes. */
  cutAfter(bytes: number): void
  /** Open connections stay open and silent for ever; new ones work. With `evenNew`, they are silent too. */
  blackHole(evenNew?: boolean): void
  connections(): number
  close(): Promise<void>
}

interface Line {
  near: Socket
  far: Socket
  isSilent: boolean
}

type Mode = { kind: 'pass' | 'refuse' | 'silent' } | { kind: 'delay'; ms: number } | { kind: 'cut'; bytes: number }

/** A TCP proxy before a real server that breaks in the ways networks do. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const lines = new Set<Line>()
  let mode: Mode = { kind: 'pass' }

  const drop = (line: Line) => {
    lines.delete(line)
    line.near.destroy()
    line.far.destroy()
  }

  const server = createServer((near) => {
    const now = mode
    near.on('error', () => undefined)
    if (now.kind === 'refuse') return void near.destroy()
    const line: Line = { near, far: connect(target), isSilent: now.kind === 'silent' }
    lines.add(line)
    line.far.on('error', () => drop(line))
    for (const [from, to] of [
      [line.near, line.far],
      [line.far, line.near],
    ] as const) {
      forward(line, from, to, { now, drop })
      from.on('close', () => {
        if (!line.isSilent) drop(line)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    through(url) {
      const through = new URL(url)
      through.hostname = '127.0.0.1'
      through.port = String(port)
      return through.href
    },
    pass: () => void (mode = { kind: 'pass' }),
    refuse() {
      mode = { kind: 'refuse' }
      lines.forEach(drop)
    },
    delay: (ms) => void (mode = { kind: 'delay', ms }),
    cutAfter: (bytes) => void (mode = { kind: 'cut', bytes }),
    blackHole(evenNew = false) {
      mode = { kind: evenNew ? 'silent' : 'pass' }
      lines.forEach((line) => (line.isSilent = true))
    },
    connections: () => lines.size,
    async close() {
      lines.forEach(drop)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function forward(line: Line, from: Socket, to: Socket, { now, drop }: { now: Mode; drop(line: Line): void }): void {
  let said = 0
  let before = Promise.resolve()
  from.on('data', (data: Buffer) => {
    if (line.isSilent) return
    if (now.kind === 'cut' && from === line.far && (said += data.length) > now.bytes) return drop(line)
    if (now.kind !== 'delay') return void to.write(data)
    const arrives = sleep(now.ms)
    before = before.then(() => arrives).then(() => void to.write(data))
  })
}

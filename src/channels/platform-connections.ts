import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SecretBox } from '../access/secret-box'
import { AppError, errorCode } from '../errors'
import { backOffMs, startLoop, withJitter } from '../engine/waiting'
import type { Loop } from '../engine/waiting'
import type { ChannelLeaseStore, LeasedChannel } from './channel-lease-store'
import { ChannelFailure } from './channel'
import { createEventQueue } from './event-queue'
import type { Inbound } from './inbound/inbound'
import type { ConnectionContext, Platform } from './platform'
import { openAccount } from './platform-accounts'

const LOOK_EVERY_MS = 2_000
const LEASE_SECONDS = 15
/** Without PostgreSQL a lease cannot be renewed: we let go before somebody else may take over. */
const LET_GO_AFTER_MS = 12_000
const BACK_OFF = { firstMs: 500, longestMs: 30_000 }
const SAY_HEALTHY_EVERY_MS = 20_000
/** A connection that ends gives so long to what it has heard and not stored. */
const SETTLE_MS = 10_000

export interface PlatformConnectionsParts {
  leases: ChannelLeaseStore
  platforms: readonly Platform[]
  inbound: Pick<Inbound, 'accept'>
  box: SecretBox
  logger: Logger
}

type Held = PlatformConnectionsParts & { holder: string }

export type PlatformConnections = Loop

interface Connection {
  version: number
  mayOverlap: boolean
  abort: AbortController
  ended: Promise<void>
}

/**
 * Keeps one long-lived connection for each bot and platform over all workers: whoever holds the lease connects, others
 * take over when it dies. A change of settings is seen within seconds, without a restart.
 */
export function startPlatformConnections(given: PlatformConnectionsParts): PlatformConnections {
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`.slice(-100)
  const parts: Held = { ...given, holder }
  const { leases, platforms, logger } = parts
  const connections = new Map<string, Connection>()
  let heldAt = performance.now()

  async function look(): Promise<void> {
    const names = platforms.flatMap(({ name, connect }) => (connect ? [name] : []))
    const held = await leases.hold(holder, names, LEASE_SECONDS)
    heldAt = performance.now()
    const wanted = new Map(held.map((row) => [`${row.channel}/${row.botUuid}`, row]))
    for (const [key, connection] of connections) {
      if (wanted.get(key)?.updatedAt.getTime() !== connection.version) await drop(key, connection)
    }
    for (const [key, row] of wanted) if (!connections.has(key)) connections.set(key, open(row))
  }

  function open(row: LeasedChannel): Connection {
    const abort = new AbortController()
    const mayOverlap = platforms.find(({ name }) => name === row.channel)?.mayOverlap ?? false
    return { version: row.updatedAt.getTime(), mayOverlap, abort, ended: keepConnected(parts, row, abort.signal) }
  }

  async function drop(key: string, { abort, ended }: Connection): Promise<void> {
    connections.delete(key)
    abort.abort()
    await ended
  }

  async function dropAll(which: (connection: Connection) => boolean = () => true): Promise<void> {
    const chosen = [...connections].filter(([, connection]) => which(connection))
    await Promise.all(chosen.map(([key, connection]) => drop(key, connection)))
  }

  const loop = startLoop(look, {
    everyMs: LOOK_EVERY_MS,
    async onError(error) {
      logger.warn({ code: errorCode(error) }, 'the leases of connections cannot be renewed')
      // While nobody can take over, a connection that may overlap goes on listening.
      if (performance.now() - heldAt > LET_GO_AFTER_MS) await dropAll(({ mayOverlap }) => !mayOverlap)
    },
  })
  return {
    async stop() {
      await loop.stop()
      await dropAll()
      await leases.release(holder).catch(() => undefined)
    },
  }
}

/** Connects again, later each time, until told to stop. */
async function keepConnected(parts: Held, row: LeasedChannel, signal: AbortSignal): Promise<void> {
  const say = (health: 'ok' | 'connecting' | 'down', detail: string | null) =>
    parts.leases.setHealth(row, parts.holder, { health, detail }).catch(() => undefined)
  const accept = acceptFor(parts, row)
  const queue = createEventQueue({
    store: accept,
    onLost: (why) => parts.logger.error({ botUuid: row.botUuid, channel: row.channel, why }, 'a message was lost'),
  })
  let failures = 0
  while (!signal.aborted) {
    let saidAt = -Infinity
    const healthy = () => {
      failures = 0
      if (performance.now() - saidAt < SAY_HEALTHY_EVERY_MS) return
      saidAt = performance.now()
      void say('ok', null)
    }
    try {
      await connectOnce(parts, row, { accept, keep: queue.add, healthy }, signal)
    } catch (error) {
      if (signal.aborted) break
      const detail = error instanceof ChannelFailure ? `${error.code}: ${error.message}` : errorCode(error)
      parts.logger.warn({ botUuid: row.botUuid, channel: row.channel, detail }, 'a connection was lost')
      await say('down', detail)
      const wishMs = error instanceof ChannelFailure ? (error.retryAfterMs ?? 0) : 0
      const waitMs = withJitter(backOffMs(++failures, BACK_OFF))
      await sleep(Math.max(waitMs, wishMs), undefined, { signal }).catch(() => undefined)
    }
  }
  await queue.settle(SETTLE_MS)
}

/** What we refuse today we refuse tomorrow: it must not stand in the way of what comes after it. */
function acceptFor({ inbound, logger }: Held, { channel, botUuid }: LeasedChannel): ConnectionContext['accept'] {
  return (reading) =>
    inbound.accept(channel, botUuid, reading).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      logger.warn({ botUuid, channel, code: error.code }, 'a message was refused')
      return { received: false, duplicate: false, ignored: 'no_content' as const, sessionKey: null }
    })
}

async function connectOnce(
  { leases, platforms, box, holder }: Held,
  row: LeasedChannel,
  hearing: Pick<ConnectionContext, 'accept' | 'keep' | 'healthy'>,
  signal: AbortSignal,
): Promise<void> {
  const platform = platforms.find(({ name }) => name === row.channel)
  if (!platform?.connect) return
  const context: ConnectionContext = {
    ...hearing,
    cursor: row.cursor,
    async saveCursor(cursor) {
      row.cursor = cursor
      await leases.setCursor(row, holder, cursor)
    },
    remember: (fact) => leases.remember(row, holder, fact),
  }
  await platform.connect(openAccount(box, row, platform.name), context, signal)
}

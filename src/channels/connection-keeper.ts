import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SecretBox } from '../access/secret-box'
import { AppError, errorCode } from '../errors'
import type { ChannelLeaseStore, LeasedChannel } from '../store/channel-lease-store'
import { ChannelFailure } from './channel'
import type { InboundShelf } from './inbound-desk'
import type { Platform } from './platform'
import { openAccount } from './platform-accounts'

const LOOK_EVERY_MS = 2_000
const LEASE_SECONDS = 15
/** Without PostgreSQL a lease cannot be renewed: we let go before somebody else may take over. */
const LET_GO_AFTER_MS = 12_000
const BACK_OFF_MS = { first: 500, most: 30_000 }
const SAY_HEALTHY_EVERY_MS = 20_000

export interface ConnectionKeeperParts {
  leases: ChannelLeaseStore
  platforms: readonly Platform[]
  desk: Pick<InboundShelf, 'accept'>
  box: SecretBox
  logger: Logger
}

type Held = ConnectionKeeperParts & { holder: string }

export interface ConnectionKeeper {
  stop(): Promise<void>
}

interface Connection {
  version: number
  abort: AbortController
  ended: Promise<void>
}

/**
 * Keeps one long-lived connection for each bot and platform over all workers: whoever holds the lease connects, others
 * take over when it dies. A change of settings is seen within seconds, without a restart.
 */
export function startConnectionKeeper(given: ConnectionKeeperParts): ConnectionKeeper {
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`.slice(-100)
  const parts: Held = { ...given, holder }
  const { leases, platforms, logger } = parts
  const connections = new Map<string, Connection>()
  const stopping = new AbortController()
  let heldAt = performance.now()

  async function look(): Promise<void> {
    const names = platforms.map(({ name }) => name)
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
    return { version: row.updatedAt.getTime(), abort, ended: keepConnected(parts, row, abort.signal) }
  }

  async function drop(key: string, { abort, ended }: Connection): Promise<void> {
    connections.delete(key)
    abort.abort()
    await ended
  }

  const dropAll = () => Promise.all([...connections].map(([key, connection]) => drop(key, connection)))

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(async (error: unknown) => {
        logger.warn({ code: errorCode(error) }, 'the leases of connections cannot be renewed')
        if (performance.now() - heldAt > LET_GO_AFTER_MS) await dropAll()
      })
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    await dropAll()
    await leases.release(holder).catch(() => undefined)
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Connects again, later each time, until told to stop. */
async function keepConnected(parts: Held, row: LeasedChannel, signal: AbortSignal): Promise<void> {
  const say = (health: 'ok' | 'connecting' | 'down', detail: string | null) =>
    parts.leases.setHealth(row, parts.holder, { health, detail }).catch(() => undefined)
  let waitMs = BACK_OFF_MS.first
  while (!signal.aborted) {
    let saidAt = -Infinity
    const healthy = () => {
      waitMs = BACK_OFF_MS.first
      if (performance.now() - saidAt < SAY_HEALTHY_EVERY_MS) return
      saidAt = performance.now()
      void say('ok', null)
    }
    try {
      await connectOnce(parts, row, healthy, signal)
    } catch (error) {
      if (signal.aborted) break
      const detail = error instanceof ChannelFailure ? `${error.code}: ${error.message}` : errorCode(error)
      parts.logger.warn({ botUuid: row.botUuid, channel: row.channel, detail }, 'a connection was lost')
      await say('down', detail)
      const wishMs = error instanceof ChannelFailure ? (error.retryAfterMs ?? 0) : 0
      await sleep(Math.max(waitMs * (0.5 + Math.random() / 2), wishMs), undefined, { signal }).catch(() => undefined)
      waitMs = Math.min(waitMs * 2, BACK_OFF_MS.most)
    }
  }
}

async function connectOnce(
  { leases, platforms, desk, box, holder, logger }: Held,
  row: LeasedChannel,
  healthy: () => void,
  signal: AbortSignal,
): Promise<void> {
  const platform = platforms.find(({ name }) => name === row.channel)
  if (!platform) return
  await platform.connect(
    openAccount(box, row, platform.name),
    {
      accept: (reading) =>
        desk.accept(platform.name, row.botUuid, reading).catch((error: unknown) => {
          // What we refuse today we refuse tomorrow: it must not stand in the way of what comes after it.
          if (!(error instanceof AppError) || error.status >= 500) throw error
          logger.warn({ botUuid: row.botUuid, channel: row.channel, code: error.code }, 'a message was refused')
          return { received: false, duplicate: false, ignored: 'no_content' as const, sessionKey: null }
        }),
      healthy,
      cursor: row.cursor,
      async saveCursor(cursor) {
        row.cursor = cursor
        await leases.setCursor(row, holder, cursor)
      },
      remember: (fact) => leases.remember(row, holder, fact),
    },
    signal,
  )
}

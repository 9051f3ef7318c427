import pino from 'pino'
import type { Access } from '../../src/access/access'
import { hashPassword } from '../../src/access/password'
import { createHttp, httpPartsOf } from '../../src/build/http'
import type { HttpParts } from '../../src/build/http'
import { createProduct } from '../../src/build/product'
import { readConfig } from '../../src/config'
import type { Caller, Scope } from '../../src/contracts/caller'
import type { DeltaData, EventName } from '../../src/contracts/event'
import type { JsonObject } from '../../src/contracts/words'
import type { Chat } from '../../src/conversation/chat'
import type { Database } from '../../src/engine/database'
import type { LiveBus, LiveWatcher } from '../../src/engine/live-bus'
import type { HttpConfig } from '../../src/http/http-config'
import { createTestDatabase } from './services'

export const SECRET = 'test-only-0123456789-0123456789-0123456789'
export const ADMIN: Caller = { kind: 'user', id: 'root', name: 'root', scopes: ['read', 'send', 'admin'], bots: 'all' }
export const HTTP_CONFIG: HttpConfig = {
  host: '127.0.0.1',
  corsOrigins: [],
  trustedProxies: [],
  jwtSecret: SECRET,
  logLevel: 'silent',
  streams: { pingMs: 200, recheckMs: 200, stallMs: 2_000 },
}

/** Wakes watchers in this process; that PostgreSQL carries it between processes is the live room's to show. */
export function createLocalBus(): LiveBus & { wake(key: string): void; watchers(key: string): number } {
  const watching = new Map<string, Set<LiveWatcher>>()
  const of = (key: string) => watching.get(key) ?? watching.set(key, new Set()).get(key)!
  return {
    subscribe(key, watcher) {
      of(key).add(watcher)
      return () => of(key).delete(watcher)
    },
    publishDelta: (key: string, delta: DeltaData) => of(key).forEach((watcher) => watcher.onDelta?.(delta)),
    flushDeltas: async () => undefined,
    close: async () => undefined,
    wake: (key) => of(key).forEach((watcher) => watcher.onWake()),
    watchers: (key) => of(key).size,
  }
}

/** Says back what it was told, word by word. */
export const echo: Chat = {
  async send(session, input, listener) {
    const turn_id = '0190a000-0000-7000-8000-000000000001'
    listener?.onTurn?.({ turn_id, state: 'started', status: 'running' })
    for (const word of input.message.split(' ')) listener?.onDelta?.(word)
    const content = `${input.senderId}: ${input.message}`
    return {
      content,
      type: 'text',
      payload: null,
      effects: [],
      error_code: null,
      session_key: session.sessionKey,
      turn_id,
      tool_calls: [],
    }
  },
}

export interface AppFixture {
  database: Database
  databaseUrl: string
  access: Access
  door: HttpParts
  bus: ReturnType<typeof createLocalBus>
  addBot(uuid: string): Promise<void>
  addUser(username: string, password: string): Promise<string>
  addKey(scope: Scope, ...botUuids: string[]): Promise<{ key: string; id: string }>
  addSession(sessionKey: string, botUuid: string): Promise<void>
  addEvents(sessionKey: string, count: number, name?: EventName): Promise<void>
  close(): Promise<void>
}

/** The product without its worker and its Temporal, on a fresh database, behind the real app; chat and bus are doubles. */
export async function buildAppFixture(overrides: Partial<HttpParts> = {}): Promise<AppFixture> {
  const { url, drop } = await createTestDatabase()
  const product = await createProduct(
    readConfig({
      DATABASE_URL: url,
      // Temporal is told in the background; what the API answers does not depend on it.
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      JWT_SECRET: SECRET,
      TRUSTED_EGRESS_HOSTS: '127.0.0.1:9999',
    }),
    pino({ level: 'silent' }),
  )
  const { database, access } = product
  const { users, bots, sessions } = product.stores
  const bus = createLocalBus()
  const door: HttpParts = {
    ...httpPartsOf(product),
    live: bus,
    chat: echo,
    health: { postgres: async () => undefined, temporal: async () => undefined, channels: async () => [] },
    about: { version: '0.0.0', model: 'echo', temporalUiUrl: undefined, temporalNamespace: 'default' },
    ...overrides,
  }
  return {
    database,
    databaseUrl: url,
    access,
    door,
    bus,
    addBot: async (uuid) => void (await bots.create({ uuid, name: uuid })),
    async addUser(username, password) {
      return (await users.create({ username, passwordHash: await hashPassword(password) })).id
    },
    async addKey(scope, ...botUuids) {
      const { key, record } = await access.createApiKey(ADMIN, { name: 'test', scopes: [scope], botUuids })
      return { key, id: record.id }
    },
    async addSession(sessionKey, botUuid) {
      const rest = { channel: 'web', launcherType: 'person', launcherId: 'someone', pipelineUuid: null } as const
      await sessions.findOrCreate({ ...rest, sessionKey, botUuid, timezone: 'UTC', language: null, title: null })
    },
    async addEvents(sessionKey, count, name = 'message') {
      const data: JsonObject = { text: 'hello' }
      await database.pool.query(
        `WITH base AS (UPDATE sessions SET event_seq = event_seq + $2 WHERE session_key = $1 RETURNING event_seq - $2 AS n)
         INSERT INTO session_events (session_key, seq, name, data)
         SELECT $1, base.n + g, $3, $4 FROM base, generate_series(1, $2::int) g`,
        [sessionKey, count, name, JSON.stringify(data)],
      )
      bus.wake(sessionKey)
    },
    async close() {
      await product.close()
      await drop()
    },
  }
}

export const buildApp = (house: AppFixture, config: Partial<HttpConfig> = {}) =>
  createHttp(house.door, { ...HTTP_CONFIG, ...config })

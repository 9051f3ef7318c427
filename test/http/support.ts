import { createAccess } from '../../src/access/access'
import type { Access } from '../../src/access/access'
import { hashPassword } from '../../src/access/password'
import { createSecretBox } from '../../src/access/secret-box'
import { createBotChannels } from '../../src/channels/bot-channels'
import { createBotPlatforms } from '../../src/channels/bot-platforms'
import { createInboundDesk } from '../../src/channels/inbound-desk'
import { createPlatformAccounts } from '../../src/channels/platform-accounts'
import { createPlatforms } from '../../src/channels/platforms'
import { createWebhookEndpoints } from '../../src/channels/webhook-endpoints'
import { createWebhookInbound } from '../../src/channels/webhook-inbound'
import type { Caller, Scope } from '../../src/contracts/caller'
import type { DeltaData, EventName } from '../../src/contracts/event'
import type { JsonObject } from '../../src/contracts/words'
import { createEgress } from '../../src/egress/egress'
import { createApp } from '../../src/http/app'
import type { FrontDoor } from '../../src/http/front-door'
import type { HttpConfig } from '../../src/http/http-config'
import { createMetrics } from '../../src/http/metrics'
import type { LiveBus, LiveWatcher } from '../../src/live/live-bus'
import type { Chat } from '../../src/sessions/chat'
import { createPipelineDirectory } from '../../src/planner/pipeline-directory'
import { createConversationHistory } from '../../src/sessions/conversation-history'
import { createPush } from '../../src/sessions/push'
import { createSessionDirectory } from '../../src/sessions/session-directory'
import { createScheduledMessages } from '../../src/scheduling/scheduled-messages'
import { createApiKeyStore } from '../../src/store/api-key-store'
import { createBotChannelStore } from '../../src/store/bot-channel-store'
import { createBotStore } from '../../src/store/bot-store'
import { createChannelLeaseStore } from '../../src/store/channel-lease-store'
import { createClock } from '../../src/store/clock'
import { createDeliveryStore } from '../../src/store/deliveries'
import { createEventStore } from '../../src/store/event-store'
import { createInboundStore } from '../../src/store/inbound'
import { createMessageStore } from '../../src/store/message-store'
import { createDatabase } from '../../src/store/prisma'
import type { Database } from '../../src/store/prisma'
import { createPromiseStore } from '../../src/store/promise-store'
import { createHistoryStore } from '../../src/store/history'
import { createNotificationStore } from '../../src/store/notification-store'
import { createPipelineStore } from '../../src/store/pipeline-store'
import { createPushStore } from '../../src/store/pushes'
import { createScheduledMessageStore } from '../../src/store/scheduled-messages'
import { createArtifactStore } from '../../src/store/artifact-store'
import { createAutomationStore } from '../../src/store/automations'
import { createRunStore } from '../../src/store/runs'
import { createAutomations } from '../../src/scheduling/automations'
import { createRuns } from '../../src/scheduling/runs'
import type { PluginHost } from '../../src/contracts/plugin'
import { createSessionStore } from '../../src/store/session-store'
import { createTaskStore } from '../../src/store/tasks'
import { createTasks } from '../../src/tasks/tasks'
import { createToolCallStore } from '../../src/store/tool-call-store'
import { createUserStore } from '../../src/store/user-store'
import { createTestDatabase } from '../support/services'

export const SECRET = 'test-only-0123456789-0123456789-0123456789'
export const ADMIN: Caller = { kind: 'user', id: 'root', name: 'root', scopes: ['read', 'send', 'admin'], bots: 'all' }
export const HTTP_CONFIG: HttpConfig = {
  host: '127.0.0.1',
  corsOrigins: [],
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
    return { content, type: 'text', payload: null, session_key: session.sessionKey, turn_id, tool_calls: [] }
  },
}

export interface House {
  database: Database
  databaseUrl: string
  access: Access
  door: FrontDoor
  bus: ReturnType<typeof createLocalBus>
  addBot(uuid: string): Promise<void>
  addUser(username: string, password: string): Promise<string>
  addKey(scope: Scope, ...botUuids: string[]): Promise<{ key: string; id: string }>
  addSession(sessionKey: string, botUuid: string): Promise<void>
  addEvents(sessionKey: string, count: number, name?: EventName): Promise<void>
  close(): Promise<void>
}

/** Temporal is told in the background; what the API answers does not depend on it. */
const SILENT_DISPATCHER = { kick: () => undefined, drain: async () => 0, close: async () => undefined }
const NO_PLUGINS: PluginHost = {
  list: () => [],
  find: () => undefined,
  faults: () => [],
  run: () => Promise.reject(new Error('there are no plugins here')),
  close: async () => undefined,
}

/** Real stores on a fresh database behind the real app; the chat and the bus are the only doubles. */
export async function buildHouse(overrides: Partial<FrontDoor> = {}): Promise<House> {
  const { url, drop } = await createTestDatabase()
  const database = createDatabase(url, 5)
  const { prisma, pool } = database
  const users = createUserStore(prisma)
  const bots = createBotStore(prisma)
  const access = createAccess({ users, keys: createApiKeyStore(prisma), bots })
  const bus = createLocalBus()
  const store = createSessionStore(database)
  const pipelines = createPipelineDirectory(createPipelineStore(prisma))
  const sessions = createSessionDirectory({
    sessions: store,
    listBots: (caller) => access.listBots(caller),
    knowsPipeline: pipelines.knows,
    defaultZone: 'Asia/Shanghai',
    hasWebhook: async () => false,
    unified: false,
    onDeleted: () => undefined,
  })
  const endpoints = createWebhookEndpoints({ store: createBotChannelStore(prisma), box: createSecretBox(SECRET) })
  const egress = createEgress({ trustedHosts: ['127.0.0.1:9999'] })
  const historyStore = createHistoryStore(database)
  const accounts = createPlatformAccounts({ store: createBotChannelStore(prisma), box: createSecretBox(SECRET) })
  const platforms = createPlatforms({ accounts, egress })
  const door: FrontDoor = {
    access,
    sessions,
    messages: createMessageStore(database),
    history: createConversationHistory({ store: historyStore, cancels: [] }),
    push: createPush({
      store: createPushStore(database),
      sessions,
      sessionsOf: historyStore.sessionsOf,
      requirePipeline: pipelines.get,
      limits: { perKey: 600, perBot: 600, perTarget: 20 },
      kick: () => undefined,
    }),
    notifications: createNotificationStore(database),
    profiles: pipelines,
    events: createEventStore(database),
    toolCalls: createToolCallStore(database),
    live: bus,
    chat: echo,
    scheduledMessages: createScheduledMessages({
      store: createScheduledMessageStore(database),
      dispatcher: SILENT_DISPATCHER,
      clock: createClock(database),
      crashPoint: () => undefined,
    }),
    promises: createPromiseStore(database),
    pipelines: () => ['assistant', 'tasks'],
    tasks: createTasks({
      ledgers: createTaskStore(database),
      reader: createTaskStore(database),
      clock: createClock(database),
    }),
    runs: createRuns({
      store: createRunStore(database),
      dispatcher: SILENT_DISPATCHER,
      plugins: NO_PLUGINS,
      live: bus,
    }),
    automations: createAutomations({
      store: createAutomationStore(database),
      dispatcher: SILENT_DISPATCHER,
      clock: createClock(database),
    }),
    overlaysOf: async () => ({}),
    artifacts: createArtifactStore(database),
    botChannels: createBotChannels({ bots, endpoints, egress }),
    botPlatforms: createBotPlatforms({
      requireBot: createBotChannels({ bots, endpoints, egress }).requireBot,
      accounts,
      platforms,
      leases: createChannelLeaseStore(database),
    }),
    deliveries: createDeliveryStore(database),
    inbound: createInboundDesk({
      inbound: createInboundStore(database),
      openSession: sessions.resolve,
      channels: [createWebhookInbound({ endpoints }), ...platforms.map((platform) => platform.inbound)],
    }),
    health: { postgres: async () => undefined, temporal: async () => undefined },
    metrics: createMetrics(),
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
      await store.findOrCreate({ ...rest, sessionKey, botUuid, timezone: 'UTC', language: null, title: null })
    },
    async addEvents(sessionKey, count, name = 'message') {
      const data: JsonObject = { text: 'hello' }
      await pool.query(
        `WITH base AS (UPDATE sessions SET event_seq = event_seq + $2 WHERE session_key = $1 RETURNING event_seq - $2 AS n)
         INSERT INTO session_events (session_key, seq, name, data)
         SELECT $1, base.n + g, $3, $4 FROM base, generate_series(1, $2::int) g`,
        [sessionKey, count, name, JSON.stringify(data)],
      )
      bus.wake(sessionKey)
    },
    async close() {
      await database.close()
      await drop()
    },
  }
}

export const buildApp = (house: House, config: Partial<HttpConfig> = {}) =>
  createApp(house.door, { ...HTTP_CONFIG, ...config })

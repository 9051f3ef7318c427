import type { Logger } from 'pino'
import { createApiKeyStore, createBotStore, createUsageStore, createUserStore } from '../access'
import {
  automationTurnHooks,
  createAutomationStore,
  deleteAutomationsOf,
  deleteAutomationsOfBot,
  listBlockingAutomations,
} from '../automations'
import {
  createBotChannelStore,
  createChannelLeaseStore,
  createDeliveryStore,
  createInboundStore,
  createMovedChatStore,
  endInboundOf,
} from '../channels'
import {
  createHistoryStore,
  createMemoryStore,
  createMessageStore,
  createSessionStore,
  createToolCallStore,
  createTurnStore,
} from '../conversation'
import { createPipelineStore } from '../planner'
import { createPromiseStore } from '../promises'
import { createPushStore } from '../push'
import { cancelWithSession, createNotificationStore, createZoneStore, createScheduledMessageStore } from '../reminders'
import { cancelRunsOf, createArtifactStore, createRunStore } from '../runs'
import { createTaskStore } from '../tasks'
import type { SessionEndings } from '../conversation/sql/delete-session'
import { createClock } from '../engine/clock'
import { createDatabase } from '../engine/database'
import type { Database } from '../engine/database'
import { createEventStore } from '../engine/event-store'
import { createKindStore } from '../engine/kind-store'
import { createMarkStore } from '../engine/mark-store'
import { createOutboxStore } from '../engine/outbox-store'
import { EVERY_PROMISE, KINDS, PENDING_PROMISES, WANTED_TOO } from './kinds'

/** What every feature does when a session or a bot is deleted, in one transaction with it. */
const SESSION_ENDINGS: SessionEndings = {
  listBlocking: listBlockingAutomations,
  endInSession: [deleteAutomationsOf, cancelWithSession, cancelRunsOf, endInboundOf],
  endOfBot: [deleteAutomationsOfBot],
  words: KINDS.flatMap(({ words }) => words),
  old: KINDS.flatMap(({ old }) => old),
}

export type Storage = ReturnType<typeof createStorage>
export type Stores = ReturnType<typeof createStores>

/** PostgreSQL with every store over it. */
export function createStorage(connection: { databaseUrl: string; poolSize: number; logger?: Logger }) {
  const database = createDatabase(connection.databaseUrl, connection.poolSize, connection.logger)
  return { database, stores: createStores(database) }
}

/** Every store, once, over one database. */
export function createStores(database: Database) {
  const { prisma } = database
  return {
    users: createUserStore(prisma),
    usage: createUsageStore(database),
    apiKeys: createApiKeyStore(prisma),
    bots: createBotStore(prisma),
    botChannels: createBotChannelStore(prisma),
    movedChats: createMovedChatStore(prisma),
    pipelines: createPipelineStore(prisma),
    sessions: createSessionStore(database, SESSION_ENDINGS),
    turns: createTurnStore(database, { automation: automationTurnHooks }),
    messages: createMessageStore(database),
    history: createHistoryStore(database, SESSION_ENDINGS.words),
    pushes: createPushStore(database),
    notifications: createNotificationStore(database),
    zones: createZoneStore(database),
    events: createEventStore(database),
    toolCalls: createToolCallStore(database),
    scheduledMessages: createScheduledMessageStore(database),
    tasks: createTaskStore(database),
    automations: createAutomationStore(database),
    memories: createMemoryStore(database),
    runs: createRunStore(database),
    artifacts: createArtifactStore(database),
    promises: createPromiseStore(database, { every: EVERY_PROMISE, pending: PENDING_PROMISES }),
    kinds: createKindStore(database, KINDS),
    outbox: createOutboxStore(database, { kinds: KINDS, wantedToo: WANTED_TOO }),
    deliveries: createDeliveryStore(database),
    inbound: createInboundStore(database),
    channelLeases: createChannelLeaseStore(database),
    marks: createMarkStore(database),
    clock: createClock(database),
  }
}

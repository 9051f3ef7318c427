import { createApiKeyStore } from './store/api-key-store'
import { createArtifactStore } from './store/artifact-store'
import { createAutomationStore } from './store/automations'
import { createBotChannelStore } from './store/bot-channel-store'
import { createBotStore } from './store/bot-store'
import { createChannelLeaseStore } from './store/channel-lease-store'
import { createClock } from './store/clock'
import type { Database } from './store/database'
import { createDeliveryStore } from './store/deliveries'
import { createEventStore } from './store/event-store'
import { createHistoryStore } from './store/history'
import { createInboundStore } from './store/inbound'
import { createMarkStore } from './store/mark-store'
import { createMemoryStore } from './store/memory-store'
import { createMessageStore } from './store/message-store'
import { createNotificationStore } from './store/notification-store'
import { createOutboxStore } from './store/outbox-store'
import { createPipelineStore } from './store/pipeline-store'
import { createPromiseStore } from './store/promise-store'
import { createPushStore } from './store/pushes'
import { createRunStore } from './store/runs'
import { createScheduledMessageStore } from './store/scheduled-messages'
import { createSessionStore } from './store/session-store'
import { createTaskStore } from './store/tasks'
import { createToolCallStore } from './store/tool-call-store'
import { createTurnStore } from './store/turn-store'
import { createUserStore } from './store/user-store'

/** Every store, once, over one database. */
export function createStores(database: Database) {
  return {
    users: createUserStore(database.prisma),
    apiKeys: createApiKeyStore(database.prisma),
    bots: createBotStore(database.prisma),
    botChannels: createBotChannelStore(database.prisma),
    pipelines: createPipelineStore(database.prisma),
    sessions: createSessionStore(database),
    turns: createTurnStore(database),
    messages: createMessageStore(database),
    history: createHistoryStore(database),
    pushes: createPushStore(database),
    notifications: createNotificationStore(database),
    events: createEventStore(database),
    toolCalls: createToolCallStore(database),
    scheduledMessages: createScheduledMessageStore(database),
    tasks: createTaskStore(database),
    automations: createAutomationStore(database),
    memories: createMemoryStore(database),
    runs: createRunStore(database),
    artifacts: createArtifactStore(database),
    promises: createPromiseStore(database),
    outbox: createOutboxStore(database),
    deliveries: createDeliveryStore(database),
    inbound: createInboundStore(database),
    channelLeases: createChannelLeaseStore(database),
    marks: createMarkStore(database),
    clock: createClock(database),
  }
}

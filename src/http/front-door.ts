import type { Automation } from '../contracts/automation'
import type { Caller } from '../contracts/caller'
import type { SessionEvent } from '../contracts/event'
import type { Delivery, DeliveryState } from '../contracts/delivery'
import type { InboundReceipt } from '../contracts/inbound'
import type { HistoryMessage } from '../contracts/message'
import type { NotificationChange, Notifications } from '../contracts/notifications'
import type { PromiseItem } from '../contracts/promise'
import type { Session } from '../contracts/session'
import type { ChannelName, Language, LauncherType, JsonObject } from '../contracts/words'
import type { Access } from '../access/access'
import type { LiveBus } from '../live/live-bus'
import type { Automations } from '../scheduling/automations'
import type { PipelineDirectory } from '../planner/pipeline-directory'
import type { Runs } from '../scheduling/runs'
import type { ScheduledMessages } from '../scheduling/scheduled-messages'
import type { Chat } from '../sessions/chat'
import type { Tasks } from '../tasks/tasks'
import type { ConversationHistory } from '../sessions/conversation-history'
import type { Push } from '../sessions/push'
import type { PromiseFilter } from '../store/promise-store'
import type { KeptFigures, KeptFilter } from '../store/kept-figures'
import type { ToolCallView } from '../store/tool-call-store'
import type { Metrics } from './metrics'

/** What a request may say about the session it means; the rest follows (DESIGN 11). */
export interface SessionAddress {
  sessionKey?: string
  botUuid?: string
  channel?: ChannelName
  launcherType?: LauncherType
  launcherId?: string
  pipelineUuid?: string
  timezone?: string
  language?: Language
}

/** The sessions a caller may see; one of another bot is as good as absent. */
export interface SessionDirectory {
  /** Finds or opens the session. Throws `not_found`, `bad_timezone`, `unknown_pipeline`, `no_bot`. */
  resolve(caller: Caller, address: SessionAddress): Promise<Session>
  /** The session of that key, or throws `not_found`. */
  open(caller: Caller, sessionKey: string): Promise<Session>
  list(caller: Caller, page: { limit: number; botUuid?: string }): Promise<Session[]>
  rename(caller: Caller, sessionKey: string, title: string): Promise<Session>
  /** Deletes the session with all that was said and promised in it, unless automations are in the way. */
  delete(
    caller: Caller,
    sessionKey: string,
    how: { deleteAutomations: boolean },
  ): Promise<{ deleted: true } | { deleted: false; automations: Automation[] }>
}

export interface MessageReader {
  /** The newest `limit` before `beforeId`, in the order they were said. */
  latest(sessionKey: string, page: { limit: number; beforeId?: number }): Promise<HistoryMessage[]>
}

/** What a person wants to hear in a session. */
export interface NotificationSettings {
  read(sessionKey: string): Promise<Notifications>
  change(sessionKey: string, change: NotificationChange): Promise<Notifications>
}

export interface EventReader {
  after(sessionKey: string, seq: number, limit: number): Promise<SessionEvent[]>
  /** Lowest and highest number still kept; both 0 when there is none. */
  bounds(sessionKey: string): Promise<{ first: number; last: number }>
}

/** What the model called in a session's turns; no part of any history. */
export interface ToolCallReader {
  list(sessionKey: string, page: { limit: number; turnId?: string }): Promise<ToolCallView[]>
}

/** Large results by reference. */
export interface ArtifactReader {
  find(id: string): Promise<{ botUuid: string; name: string; contentType: string; content: Uint8Array } | null>
}

/** Everything due, of every kind, by due time. */
export interface PromiseReader {
  list(filter: PromiseFilter): Promise<PromiseItem[]>
  /** How those that fell due in a window were kept. */
  kept(filter: KeptFilter): Promise<KeptFigures>
}

export interface WebhookView {
  url: string
  enabled: boolean
  disabledAt: Date | null
  disabledReason: string | null
  updatedAt: Date
}

/** Where a bot's messages go on outside channels. Throws `not_found` for a bot the caller may not see. */
export interface BotChannels {
  requireBot(caller: Caller, botUuid: string): Promise<void>
  /** `secret` is in this answer only when it was made just now, and never again. */
  setWebhook(
    caller: Caller,
    botUuid: string,
    wanted: { url: string; secret?: string },
  ): Promise<WebhookView & { secret: string | null; previousSecretUntil: Date | null }>
  getWebhook(caller: Caller, botUuid: string): Promise<WebhookView>
  removeWebhook(caller: Caller, botUuid: string): Promise<void>
}

export interface PlatformView {
  settings: JsonObject
  health: string
  detail: string | null
  updatedAt: Date
}

/** How a bot is reached on platforms with an account of their own. Throws `not_found` for a bot the caller may not see. */
export interface BotPlatforms {
  set(caller: Caller, botUuid: string, platform: PlatformName, wanted: JsonObject): Promise<PlatformView>
  get(caller: Caller, botUuid: string, platform: PlatformName): Promise<PlatformView>
  remove(caller: Caller, botUuid: string, platform: PlatformName): Promise<void>
  list(caller: Caller, botUuid: string): Promise<{ channel: string; health: string; detail: string | null }[]>
}
type PlatformName = Exclude<ChannelName, 'web' | 'webhook'>

/** Messages on their way to a platform, with receipts. */
export interface DeliveryReader {
  list(filter: {
    bots: 'all' | readonly string[]
    sessionKey?: string
    state?: DeliveryState
    limit: number
  }): Promise<Delivery[]>
}

/** Where platforms hand in what people say to a bot. */
export interface InboundDesk {
  /** Stores it and answers at once. Throws `unauthorized` unless the request is signed as the bot's settings say. */
  receive(
    channel: ChannelName,
    botUuid: string,
    request: { headers: Record<string, string | undefined>; body: string },
  ): Promise<InboundReceipt>
}

/** Each check resolves when the part answers and rejects when it does not, within two seconds. */
export interface Health {
  postgres(): Promise<void>
  temporal(): Promise<void>
  /** How the channels of all bots stand; detail, not a condition. */
  channels?(): Promise<{ channel: string; health: string }[]>
}

/** Everything the HTTP room needs, handed in by dependencies.ts. */
export interface FrontDoor {
  access: Access
  sessions: SessionDirectory
  messages: MessageReader
  history: ConversationHistory
  push: Push
  profiles: PipelineDirectory
  notifications: NotificationSettings
  events: EventReader
  toolCalls: ToolCallReader
  live: LiveBus
  chat: Chat
  scheduledMessages: ScheduledMessages
  promises: PromiseReader
  /** The ids of the pipelines there are. */
  pipelines(): string[]
  tasks: Tasks
  automations: Automations
  runs: Runs
  /** The voice of the session's pipeline. */
  overlaysOf(session: Session): Promise<Record<string, string>>
  artifacts: ArtifactReader
  botChannels: BotChannels
  botPlatforms: BotPlatforms
  inbound: InboundDesk
  deliveries: DeliveryReader
  health: Health
  metrics: Metrics
  about: { version: string; model: string; temporalUiUrl: string | undefined; temporalNamespace: string }
}

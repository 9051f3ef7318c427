import type { Logger } from 'pino'
import type { Channel } from '../src/channels/channel'
import type { ChannelName } from '../src/contracts/words'
import type { Dream } from '../src/planner/dream'
import type { AutomationKeeper } from '../src/scheduling/automation-keeper'
import type { Reconciler } from '../src/scheduling/reconciler'
import type { Retention } from '../src/scheduling/retention'
import type { RunKeeper } from '../src/scheduling/run-keeper'
import type { Chat } from '../src/sessions/chat'
import type { RunAutomationTurn } from '../src/sessions/automation-turn'
import type { DeliveryStore } from '../src/store/deliveries'
import type { InboundStore } from '../src/store/inbound'
import type { RunStore } from '../src/store/runs'
import type { ScheduledMessageStore } from '../src/store/scheduled-messages'
import type { SessionStore } from '../src/store/session-store'

/** What activities are given; they build nothing and read no settings. */
export interface ActivityParts {
  messages: ScheduledMessageStore
  deliveries: DeliveryStore
  inbound: InboundStore
  findSession: SessionStore['find']
  chat: Chat
  channels: Map<ChannelName, Channel>
  reconcile: Reconciler
  keeper: RunKeeper
  runStore: RunStore
  automationKeeper: AutomationKeeper
  runAutomationTurn: RunAutomationTurn
  dream: Dream
  retention: Retention
  logger: Logger
  metrics: {
    promiseKept(kind: string, lateByMs: number): void
    promiseEnded(kind: string, state: string): void
    repaired(what: string, count: number): void
  }
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
}

import type { Channel } from '../src/channels/channel'
import type { ChannelName } from '../src/contracts/words'
import type { Dream } from '../src/conversation/memory'
import type { AutomationSlots } from '../src/automations/slots'
import type { Reconciler } from '../src/engine/reconciler'
import type { Retention } from '../src/conversation/retention'
import type { Chat } from '../src/conversation/chat'
import type { RunAutomationTurn } from '../src/automations/turn'
import type { DeliveryStore } from '../src/channels/outgoing'
import type { InboundStore } from '../src/channels/inbound'
import type { ScheduledMessageStore } from '../src/reminders/sql'
import type { SessionStore } from '../src/conversation/sql/session-store'

import type { RunParts } from './run'

/** What activities are given; they build nothing and read no settings. */
export interface ActivityParts extends RunParts {
  messages: ScheduledMessageStore
  deliveries: DeliveryStore
  inbound: InboundStore
  findSession: SessionStore['find']
  chat: Chat
  channels: Map<ChannelName, Channel>
  reconcile: Reconciler
  automationSlots: AutomationSlots
  runAutomationTurn: RunAutomationTurn
  dream: Dream
  retention: Retention
  metrics: {
    promiseKept(kind: string, lateByMs: number): void
    promiseEnded(kind: string, state: string): void
    repaired(what: string, count: number): void
  }
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
}

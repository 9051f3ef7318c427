import type { LegacyTarget } from './contract'
import type { Caller } from '../contracts/caller'
import type { Session } from '../conversation/session'
import type { ChannelName, LauncherType } from '../contracts/words'
import { AppError } from '../errors'
import type { SessionAddress } from '../conversation/session'
import type { EvaluateResponse } from './evaluate-response'
import { categoryOf } from './category'
import type { AutomationStore } from './sql'
import type { SessionStore } from '../conversation/sql/session-store'

/** What old stores call their channels. */
const CHANNELS: Readonly<Record<string, ChannelName>> = {
  telegram: 'telegram',
  qq: 'onebot',
  onebot: 'onebot',
  websocket: 'web',
  cli: 'web',
  web: 'web',
  api: 'web',
  webhook: 'webhook',
}

export interface LegacyDeliveryParts {
  automations: AutomationStore
  evaluate: EvaluateResponse
  findByAddress: SessionStore['findByAddress']
  openSession(caller: Caller, address: SessionAddress): Promise<Session>
}

/** Sends what a run has answered to where an imported job always sent it. May be asked again; it is sent once. */
export type DeliverLegacyAnswer = (runId: string, signal: AbortSignal) => Promise<void>

/** Automations that belong to a session never come here: their answer is in it, whatever it says. */
export function createLegacyDelivery(parts: LegacyDeliveryParts): DeliverLegacyAnswer {
  const { automations, evaluate } = parts
  return async (runId, signal) => {
    const answer = await automations.findUndelivered(runId)
    if (!answer || categoryOf(answer.automation) !== 'legacy') return
    const { id: automationId, message, botUuid, legacy } = answer.automation
    const target = legacy && addressOf(legacy)
    if (!target) return automations.recordUndelivered(runId, 'no_target')
    if (!(await evaluate({ message, response: answer.content, automationId, botUuid }, signal))) {
      return automations.recordUndelivered(runId, 'withheld')
    }
    const session = await openTarget(parts, { botUuid, ...target }).catch(absent)
    if (!session) return automations.recordUndelivered(runId, 'no_target')
    await automations.deliverAnswer(session.sessionKey, answer)
  }
}

interface Target {
  channel: ChannelName
  launcherId: string
  launcherType: LauncherType
}

/** Where the old target is reached today; null when nobody knows. */
export function addressOf({ channel, to, channelMeta }: LegacyTarget): Target | null {
  const name = CHANNELS[channel?.toLowerCase() ?? '']
  if (name === undefined || !to) return null
  // Telegram numbers its groups below zero; other platforms said so beside the address.
  const kind = channelMeta['message_type'] ?? channelMeta['chat_type']
  const isGroup = (name === 'telegram' && to.startsWith('-')) || kind === 'group'
  return { channel: name, launcherId: to, launcherType: isGroup ? 'group' : 'person' }
}

/** The session where that person is talked to already, else a new one; in unified mode the one all web chats share. */
async function openTarget(parts: LegacyDeliveryParts, address: Target & { botUuid: string }): Promise<Session> {
  const known = await parts.findByAddress(address)
  const caller: Caller = {
    kind: 'api_key',
    id: 'automation',
    name: 'automation',
    scopes: ['send'],
    bots: [address.botUuid],
  }
  return parts.openSession(caller, known ? { sessionKey: known.sessionKey } : address)
}

/** The bot itself is gone: asking again would find the same. */
function absent(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import type { InboundReading } from '../inbound/contract'
import { readMessageChain } from '../../contracts/message-chain'
import type { MessageChain } from '../../contracts/message-chain'
import { LANGUAGES, LAUNCHER_TYPES } from '../../contracts/words'
import { AppError, badRequest, unauthorized } from '../../errors'
import type { InboundChannel } from '../channel'
import { forStrangers } from '../for-strangers'
import type { PlatformAccounts } from '../platform'
import { parseSecrets } from './secrets'
import { isSigned } from './signature'

const Id = Type.String({ minLength: 1, maxLength: 255 })

/** What a program sends when it is the platform; the mirror of what it gets (see message.ts). */
const Body = Type.Object({
  launcher_type: Type.Optional(Type.Enum(LAUNCHER_TYPES)),
  launcher_id: Id,
  sender_id: Type.Optional(Id),
  sender_name: Type.Optional(Type.String({ maxLength: 255 })),
  text: Type.Optional(Type.String({ maxLength: 20_000 })),
  message_chain: Type.Optional(Type.Unknown()),
  message_id: Type.Optional(Id),
  /** `action` is a button of a message that was pressed; `action_id` is its id. */
  type: Type.Optional(Type.Enum(['message', 'action'])),
  action_id: Type.Optional(Id),
  addressed: Type.Optional(Type.Boolean()),
  timezone: Type.Optional(Type.String({ maxLength: 64 })),
  language: Type.Optional(Type.Enum(LANGUAGES)),
  source_kind: Type.Optional(Type.Unknown()),
})

/** Ids of what we send: signed by the same secret, one of them could be played back to us. */
const OUR_IDS = /^(delivery|scheduled_message):/

export function createWebhookInbound(parts: {
  accounts: Pick<PlatformAccounts, 'find'>
  clock: { now(): Promise<Date> }
}): InboundChannel {
  const accounts = forStrangers(parts.accounts)
  return {
    name: 'webhook',
    async read(botUuid, request) {
      const endpoint = await accounts.find(botUuid, 'webhook')
      if (!endpoint || !(await isSigned(parseSecrets(endpoint.secrets()), request, parts.clock))) throw refused()
      const externalId = request.headers['webhook-id'] ?? ''
      if (externalId.length > 255) throw badRequest('bad_webhook_id', 'webhook-id is longer than 255 characters')
      const body = parseBody(request.body)
      const isOurs = OUR_IDS.test(externalId) || body.source_kind !== undefined || body.sender_id === botUuid
      return isOurs ? { messages: [], ignored: 'own_message' } : toInbound(botUuid, externalId, body)
    },
  }
}

/** The same answer to an unknown bot, a missing and a wrong signature, and one that is too old. */
const refused = () => unauthorized('the signature is missing or wrong', 'Sign by Standard Webhooks, at most 5 min ago.')

function parseBody(text: string): Static<typeof Body> {
  try {
    return Value.Parse(Body, Value.Clean(Body, JSON.parse(text)))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw badRequest('bad_message', 'the body is not a message', 'It needs launcher_id, and text or message_chain.')
  }
}

function toInbound(botUuid: string, externalId: string, body: Static<typeof Body>): InboundReading {
  const action = body.type === 'action' ? body.action_id : undefined
  if (body.type === 'action' && action === undefined) throw badRequest('bad_message', 'action_id is missing')
  // What is pressed is said by its label, if the program tells it.
  const chain = readChain(action === undefined ? body : { text: body.text ?? action })
  const launcherType = body.launcher_type ?? 'person'
  const isCalled = body.addressed ?? chain.some((part) => part.type === 'At' && part.target === botUuid)
  if (launcherType === 'group' && !isCalled) return { messages: [], ignored: 'not_addressed' }
  const { timezone, language } = body
  const { launcher_id: launcherId, sender_id: senderId = launcherId, sender_name: senderName } = body
  const who = { launcherType, launcherId, senderId, senderName }
  return {
    messages: [{ externalId, ...who, chain, replyTo: body.message_id ?? externalId, action, timezone, language }],
  }
}

function readChain({ text, message_chain: parts }: Pick<Static<typeof Body>, 'text' | 'message_chain'>): MessageChain {
  const reading = readMessageChain(parts ?? text ?? [])
  if (reading.ok) return reading.chain
  throw badRequest(reading.code, reading.fault)
}

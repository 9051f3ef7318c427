import type { Egress, EgressResponse } from '../../egress/egress'
import { EgressError } from '../../egress/failures'
import { AppError } from '../../errors'
import { ChannelFailure } from '../channel'
import type { Channel, OutgoingMessage } from '../channel'
import { textIn } from '../configuring'
import { withFiles } from '../files'
import type { FileSource } from '../files'
import { createLimiter } from '../limiter'
import type { PlatformAccount, PlatformAccounts } from '../platform'
import { failureOfAnswer, failureOfCall, isAccepted, readReceipt } from './answer'
import { parseSecrets, validSecrets } from './secrets'
import { Webhook } from 'standardwebhooks'

export interface WebhookChannelParts {
  accounts: PlatformAccounts
  egress: Egress
  files: FileSource
  /** Receivers refuse what is signed five minutes off: the clock of one process may be wrong. */
  clock: { now(): Promise<Date> }
  /** One try, from the name's look-up to the last byte of the answer. */
  deadlineMs?: number
  /** Calls under way for one bot at once, in this process. */
  callsPerBot?: number
}

const DEADLINE_MS = 10_000
const CALLS_PER_BOT = 20
/** A small file is in the message, and every file has a link. */
const FILE_WAYS = { maxBytes: 64 * 1024, alwaysLink: true }

/** POSTs a bot's messages to its URL, signed by Standard Webhooks. The id is the message's, so repeats can be dropped. */
export function createWebhookChannel(parts: WebhookChannelParts): Channel {
  const { accounts, egress, files, clock, deadlineMs = DEADLINE_MS } = parts
  const limiter = createLimiter({ width: parts.callsPerBot ?? CALLS_PER_BOT })
  return {
    name: 'webhook',
    idempotent: true,
    enter: ({ botUuid }) => limiter.enter(botUuid),
    async send(message, signal) {
      const { botUuid } = message.session
      const endpoint = usable(await accounts.find(botUuid, 'webhook'))
      const chain = message.chain && (await withFiles(message.chain, botUuid, files, FILE_WAYS))
      const answer = await post(egress, endpoint, { ...message, chain }, { signal, deadlineMs, at: await clock.now() })
      if (isAccepted(answer.status)) return { platformMessageId: readReceipt(answer.text) }
      const gone = { url: urlOf(endpoint), reason: 'answered 410 Gone' }
      if (answer.status === 410) await accounts.disable(botUuid, 'webhook', gone)
      throw failureOfAnswer(answer, Date.now())
    },
  }
}

function usable(endpoint: PlatformAccount | null): PlatformAccount {
  if (!endpoint) throw new ChannelFailure('webhook_not_configured', false, 'the bot has no webhook URL')
  if (!endpoint.disabledAt) return endpoint
  const why = endpoint.disabledReason ?? 'by hand'
  throw new ChannelFailure('webhook_disabled', false, `the webhook was turned off (${why}); set it again to turn it on`)
}

async function post(
  egress: Egress,
  endpoint: PlatformAccount,
  message: OutgoingMessage,
  { at, ...limits }: { signal: AbortSignal; deadlineMs: number; at: Date },
): Promise<EgressResponse> {
  const body = writeBody(message, at)
  const headers = signHeaders(message.id, body, openSecrets(endpoint, at), at)
  try {
    return await egress.request(urlOf(endpoint), { method: 'POST', headers, body, ...limits })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    // The status is the answer: an endpoint that said 2xx and then never ends its body has the message.
    if (isAccepted(error.status)) return { status: 200, headers: {}, text: '', truncated: true }
    throw failureOfCall(error)
  }
}

const urlOf = ({ settings }: PlatformAccount) => textIn(settings, 'url') ?? ''

/** A wrong key is an operator's to mend, and may be mended within the time of the retries. */
function openSecrets(endpoint: PlatformAccount, at: Date): string[] {
  try {
    return validSecrets(parseSecrets(endpoint.secrets()), at.getTime())
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ChannelFailure('webhook_secret_unreadable', true, error.message)
  }
}

/** The body a receiver gets. Its fields are a contract: add, never rename. */
function writeBody({ id, session, text, chain, sourceKind, replyTo = null }: OutgoingMessage, at: Date): string {
  return JSON.stringify({
    type: 'message',
    id,
    bot_uuid: session.botUuid,
    session_key: session.sessionKey,
    launcher_type: session.launcherType,
    launcher_id: session.launcherId,
    source_kind: sourceKind,
    reply_to: replyTo,
    text,
    message_chain: chain ?? [{ type: 'Plain', text }],
    timestamp: at.toISOString(),
  })
}

/** Standard Webhooks; one signature for each secret that is valid now. */
function signHeaders(id: string, body: string, secrets: readonly string[], at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

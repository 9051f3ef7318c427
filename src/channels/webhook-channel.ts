import type { Egress, EgressResponse } from '../egress/egress'
import { EgressError } from '../egress/failures'
import { AppError } from '../errors'
import { ChannelFailure } from './channel'
import type { Channel, OutgoingMessage } from './channel'
import { createLanes } from './lanes'
import { failureOfAnswer, failureOfCall, isAccepted, readReceipt } from './webhook-answer'
import type { WebhookEndpoint, WebhookEndpoints } from './webhook-endpoints'
import { signHeaders, writeBody } from './webhook-message'
import { validSecrets } from './webhook-secrets'

export interface WebhookChannelParts {
  endpoints: WebhookEndpoints
  egress: Egress
  /** One try, from the name's look-up to the last byte of the answer. */
  deadlineMs?: number
  /** Calls under way for one bot at once, in this process. */
  callsPerBot?: number
}

const DEADLINE_MS = 10_000
const CALLS_PER_BOT = 20
/** Together with the deadline below the time a try may take. */
const WAIT_FOR_PLACE_MS = 1_000

/** POSTs a bot's messages to its URL, signed by Standard Webhooks. The id is the message's, so repeats can be dropped. */
export function createWebhookChannel(parts: WebhookChannelParts): Channel {
  const { endpoints, egress, deadlineMs = DEADLINE_MS } = parts
  const lanes = createLanes({ width: parts.callsPerBot ?? CALLS_PER_BOT, waitMs: WAIT_FOR_PLACE_MS })
  return {
    name: 'webhook',
    idempotent: true,
    async send(message, signal) {
      const { botUuid } = message.session
      const endpoint = usable(await endpoints.find(botUuid))
      const answer = await lanes.run(botUuid, () => post(egress, endpoint, message, { signal, deadlineMs }))
      if (answer === 'busy') throw busy()
      if (isAccepted(answer.status)) return { platformMessageId: readReceipt(answer.text) }
      if (answer.status === 410) await endpoints.disable(botUuid, { url: endpoint.url, reason: 'answered 410 Gone' })
      throw failureOfAnswer(answer, Date.now())
    },
  }
}

function usable(endpoint: WebhookEndpoint | null): WebhookEndpoint {
  if (!endpoint) throw new ChannelFailure('webhook_not_configured', false, 'the bot has no webhook URL')
  if (!endpoint.disabledAt) return endpoint
  const why = endpoint.disabledReason ?? 'by hand'
  throw new ChannelFailure('webhook_disabled', false, `the webhook was turned off (${why}); set it again to turn it on`)
}

/** Comes back at different times, so that those who waited together do not return together. */
function busy(): ChannelFailure {
  const retryAfterMs = 1_000 + Math.round(Math.random() * 2_000)
  return new ChannelFailure('webhook_busy', true, 'too many calls of this bot are under way', retryAfterMs)
}

async function post(
  egress: Egress,
  endpoint: WebhookEndpoint,
  message: OutgoingMessage,
  limits: { signal: AbortSignal; deadlineMs: number },
): Promise<EgressResponse> {
  const at = new Date()
  const body = writeBody(message, at)
  const headers = signHeaders(message.id, body, openSecrets(endpoint, at), at)
  try {
    return await egress.request(endpoint.url, { method: 'POST', headers, body, ...limits })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    // The status is the answer: an endpoint that said 2xx and then never ends its body has the message.
    if (isAccepted(error.status)) return { status: 200, headers: {}, text: '', truncated: true }
    throw failureOfCall(error)
  }
}

/** A wrong key is an operator's to mend, and may be mended within the time of the retries. */
function openSecrets(endpoint: WebhookEndpoint, at: Date): string[] {
  try {
    return validSecrets(endpoint.secrets(), at.getTime())
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ChannelFailure('webhook_secret_unreadable', true, error.message)
  }
}

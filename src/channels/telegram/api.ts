import { Api, GrammyError, HttpError } from 'grammy'
import type { Egress } from '../../egress/egress'
import { EgressError, EgressRefused, mayHaveArrived } from '../../egress/failures'
import { ChannelFailure } from '../channel'
import { textIn } from '../configuring'
import type { PlatformAccount } from '../platform'

const TELEGRAM = 'https://api.telegram.org'
/** Longer than a long poll takes. */
const DEADLINE_MS = 45_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/** grammY's client for the bot; every call leaves through the guarded egress. */
export function createTelegramApi(account: PlatformAccount, egress: Egress): Api {
  const token = textIn(account.secrets(), 'token')
  if (!token) throw new ChannelFailure('telegram_not_configured', false, 'the bot has no Telegram token')
  const root = account.settings['api_root']
  const apiRoot = typeof root === 'string' ? root : TELEGRAM
  return new Api(token, { apiRoot, fetch: fetchThrough(egress), timeoutSeconds: DEADLINE_MS / 1_000 })
}

type Fetch = typeof fetch

/** What grammY asks of `fetch`, and no more. Its signals are not Node's, so they are listened to. */
function fetchThrough(egress: Egress): Fetch {
  return async (input, init = {}) => {
    const abort = new AbortController()
    init.signal?.addEventListener('abort', () => abort.abort())
    return egress.fetch(input instanceof Request ? input.url : new URL(input).href, {
      method: init.method === 'GET' ? 'GET' : 'POST',
      headers: Object.fromEntries(Object.entries(init.headers ?? {}).map(([name, value]) => [name, String(value)])),
      body: await collect(init.body),
      maxResponseBytes: MAX_ANSWER_BYTES,
      deadlineMs: DEADLINE_MS,
      signal: abort.signal,
    })
  }
}

/** Files come as a stream of their parts. */
async function collect(body: unknown): Promise<string | Uint8Array | undefined> {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What Telegram or the way to it said, classified. Nothing of the message is kept: grammY's errors hold it. */
export function toFailure(error: unknown): unknown {
  if (error instanceof GrammyError) return failureOfAnswer(error)
  if (!(error instanceof HttpError)) return error
  const cause = error.error
  if (cause instanceof EgressRefused) return new ChannelFailure('telegram_refused', false, cause.message)
  const isKnown = cause instanceof EgressError
  const why = isKnown ? cause.message : 'the call broke off'
  return new ChannelFailure('telegram_unreachable', true, why, { uncertain: !isKnown || mayHaveArrived(cause) })
}

/** The id of the supergroup that a group has become. */
export function newChatId(error: unknown): string | undefined {
  const id = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined
  return id === undefined ? undefined : String(id)
}

function failureOfAnswer({ error_code: code, description, parameters }: GrammyError): ChannelFailure {
  const says = description.slice(0, 200)
  if (code === 429) {
    return new ChannelFailure('telegram_rate_limited', true, says, {
      retryAfterMs: 1_000 * (parameters.retry_after ?? 1),
    })
  }
  if (code >= 500) return new ChannelFailure('telegram_unavailable', true, says)
  if (code === 403) return new ChannelFailure('telegram_blocked', false, says)
  if (code === 401 || code === 404) return new ChannelFailure('telegram_unauthorized', false, says)
  if (code === 409) return new ChannelFailure('telegram_conflict', true, says)
  return new ChannelFailure('telegram_rejected', false, says)
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Egress } from '../../egress/egress'
import { AppError, badRequest, unauthorized } from '../../errors'
import { ChannelFailure } from '../channel'
import type { Channel, OutgoingMessage } from '../channel'
import { checkedUrl, textIn } from '../configuring'
import { withFiles } from '../files'
import type { FileSource } from '../files'
import { forStrangers } from '../for-strangers'
import { createLimiter } from '../limiter'
import type { Pace } from '../limiter'
import type { ConnectionContext, Platform, PlatformAccount, PlatformAccounts } from '../platform'
import { readableSecrets } from '../platform-accounts'
import { sendParts } from '../send-parts'
import { toFailure, UNKNOWN_ACTION, withActions } from './actions'
import { numberOf } from './ids'
import { listen } from './listen'
import type { LIVENESS } from './listen'
import { readEvent } from './read-event'
import { toSegments } from './segments'
import type { Segment } from './segments'

/** QQ closes accounts that talk too fast. */
const PACE_MS = 1_000
const CALLS_PER_BOT = 5
/** A larger file is a link: it would have to go in one frame. */
const UPLOAD_BYTES = 20 * 1024 * 1024
const ASK_EVERY_MS = 30_000

export interface OneBotParts {
  accounts: PlatformAccounts
  egress: Egress
  files: FileSource
  paceMs?: number
  liveness?: typeof LIVENESS
}

/** QQ through a OneBot v11 side such as NapCat: forward WebSocket, or HTTP with signed reports. */
export function createOneBot(parts: OneBotParts): Platform {
  const { egress, liveness } = parts
  const strangers = forStrangers(parts.accounts)
  return {
    name: 'onebot',
    mayOverlap: true,
    channel: createOneBotChannel(parts),
    inbound: {
      name: 'onebot',
      async read(botUuid, { headers, body }) {
        const account = await strangers.find(botUuid, 'onebot')
        const token = account && textIn(account.secrets(), 'access_token')
        if (!token || !isSigned(token, headers['x-signature'], body))
          throw unauthorized('X-Signature is missing or wrong')
        return readEvent(parseReport(body))
      },
    },
    configure(wanted, present) {
      const token = textIn(wanted, 'access_token') ?? textIn(readableSecrets(present), 'access_token')
      if (token === undefined) throw badRequest('secret_missing', 'access_token is missing', 'Set one on both sides.')
      const url = textIn(wanted, 'url') ?? present?.settings['url']
      if (typeof url !== 'string' || !/^(wss?|https?):\/\//i.test(url)) {
        throw badRequest(
          'bad_url',
          'url is missing',
          'ws://host:port for the forward WebSocket, http://host:port for HTTP.',
        )
      }
      const checked = checkedUrl(egress, url.replace(/^ws/i, 'http'))
      const kept = /^ws/i.test(url) ? checked.replace(/^http/, 'ws') : checked
      return { settings: { url: kept }, secrets: { access_token: token } }
    },
    connect(account, context, signal) {
      const isSocket = textIn(account.settings, 'url')?.startsWith('ws')
      return isSocket
        ? listen(egress, account, context, { signal, liveness })
        : watchHttp(egress, account, context, signal)
    },
  }
}

function createOneBotChannel({ accounts, egress, files, paceMs = PACE_MS }: OneBotParts): Channel {
  const limiter = createLimiter({ width: CALLS_PER_BOT })
  const pacesOf = (botUuid: string): Pace[] => [{ key: botUuid, gapMs: paceMs, burst: 2 }]
  const send = (message: OutgoingMessage, account: PlatformAccount, signal: AbortSignal) =>
    withActions(account, egress, signal, async (act) => {
      const { botUuid, launcherType, launcherId } = message.session
      const isGroup = launcherType === 'group'
      const chain = message.chain ?? [{ type: 'Plain', text: message.text }]
      const said = toSegments(
        await withFiles(chain, botUuid, files, { maxBytes: UPLOAD_BYTES, alwaysLink: true }),
        isGroup,
      )
      const [first] = said.calls
      if (isGroup && message.replyTo && first?.kind === 'message' && !first.segments.some(isReply)) {
        first.segments.unshift({ type: 'reply', data: { id: message.replyTo } })
      }
      return sendParts(message, said, async (call, index) => {
        if (index > 0) limiter.count(pacesOf(botUuid))
        const id = numberOf(launcherId)
        const to = isGroup ? { group_id: id } : { user_id: id }
        const where = isGroup ? 'group' : 'private'
        const say = async (segments: Segment[]) => idOf(await act(`send_${where}_msg`, { ...to, message: segments }))
        if (call.kind === 'message') return say(call.segments)
        const { name, file, words } = call
        return act(`upload_${where}_file`, { ...to, name, file }).then(idOf, (error: unknown) => {
          // Not every side takes files: then the person gets its name and link.
          if (!(error instanceof ChannelFailure) || error.code !== UNKNOWN_ACTION) throw error
          return say([{ type: 'text', data: { text: words } }])
        })
      })
    })
  return {
    name: 'onebot',
    idempotent: false,
    enter: ({ botUuid }) => limiter.enter(botUuid, pacesOf(botUuid)),
    async send(message, signal) {
      const account = await accounts.find(message.session.botUuid, 'onebot')
      if (!account) throw new ChannelFailure('onebot_not_configured', false, 'the bot is not set up on OneBot')
      return send(message, account, signal).catch((error: unknown) => {
        if (error instanceof AppError) throw new ChannelFailure('onebot_secret_unreadable', true, error.message)
        throw toFailure(error)
      })
    },
  }
}

/** Over HTTP events are handed in by the other side; here is only asked whether it is there. */
async function watchHttp(
  egress: Egress,
  account: PlatformAccount,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await withActions(account, egress, signal, (act) => act('get_login_info', {}))
    context.healthy()
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** As OneBot reports are signed: HMAC-SHA1 of the body under the access token. */
function isSigned(token: string, signature: string | undefined, body: string): boolean {
  const wanted = Buffer.from(`sha1=${createHmac('sha1', token).update(body).digest('hex')}`)
  const given = Buffer.from(signature ?? '')
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

function parseReport(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw badRequest('bad_message', 'the body is not an event of OneBot')
  }
}

const isReply = ({ type }: { type: string }) => type === 'reply'
const idOf = (data: unknown) =>
  typeof data === 'object' && data !== null && 'message_id' in data ? String(data.message_id) : ''

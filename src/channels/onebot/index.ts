import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InboundReading } from '../../contracts/inbound'
import type { Egress } from '../../egress/egress'
import { AppError, badRequest, unauthorized } from '../../errors'
import { ChannelFailure } from '../channel'
import type { Channel, OutgoingMessage } from '../channel'
import { checkedUrl, textIn } from '../configuring'
import { createLanes } from '../lanes'
import { createPacer } from '../pacer'
import type { ConnectionHands, Platform, PlatformAccount, PlatformAccounts } from '../platform'
import { sendParts } from '../send-parts'
import { toFailure, unauthorizedFailure, withActions } from './actions'
import type { Act } from './actions'
import { readEvent } from './read-event'
import { toSegments } from './segments'
import { openSocket } from './socket'

/** QQ closes accounts that talk too fast. */
const PACE_MS = 1_000
const ASK_EVERY_MS = 30_000
const ANSWER_WITHIN_MS = 10_000

export interface OneBotParts {
  accounts: PlatformAccounts
  egress: Egress
  paceMs?: number
}

/** QQ through a OneBot v11 side such as NapCat: forward WebSocket, or HTTP with signed reports. */
export function createOneBot(parts: OneBotParts): Platform {
  const { accounts, egress } = parts
  return {
    name: 'onebot',
    channel: createOneBotChannel(parts),
    inbound: {
      name: 'onebot',
      async read(botUuid, { headers, body }) {
        const account = await accounts.find(botUuid, 'onebot')
        const token = account?.secrets()['access_token']
        if (!token || !isSigned(token, headers['x-signature'], body))
          throw unauthorized('X-Signature is missing or wrong')
        return readEvent(parseReport(body))
      },
    },
    configure(wanted, present) {
      const token = textIn(wanted, 'access_token') ?? present?.secrets['access_token']
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
    connect(account, hands, signal) {
      const isSocket = textIn(account.settings, 'url')?.startsWith('ws')
      return isSocket ? listen(egress, account, hands, signal) : watchHttp(egress, account, hands, signal)
    },
  }
}

function createOneBotChannel({ accounts, egress, paceMs = PACE_MS }: OneBotParts): Channel {
  const lanes = createLanes({ width: 5, waitMs: 1_000 })
  const pacer = createPacer()
  const send = (message: OutgoingMessage, account: PlatformAccount, signal: AbortSignal) =>
    withActions(account, egress, signal, async (act) => {
      const { botUuid, launcherType, launcherId } = message.session
      const isGroup = launcherType === 'group'
      const said = toSegments(message.chain ?? [{ type: 'Plain', text: message.text }], isGroup)
      const [first] = said.calls
      if (isGroup && message.replyTo && first && !first.some(({ type }) => type === 'reply')) {
        first.unshift({ type: 'reply', data: { id: message.replyTo } })
      }
      return sendParts(message, said, async (segments) => {
        await pacer.wait(botUuid, paceMs, signal)
        const id = numberOf(launcherId)
        if (isGroup) return idOf(await act('send_group_msg', { group_id: id, message: segments }))
        return idOf(await act('send_private_msg', { user_id: id, message: segments }))
      })
    })
  return {
    name: 'onebot',
    idempotent: false,
    async send(message, signal) {
      const { botUuid } = message.session
      const account = await accounts.find(botUuid, 'onebot')
      if (!account) throw new ChannelFailure('onebot_not_configured', false, 'the bot is not set up on OneBot')
      const receipt = await lanes
        .run(botUuid, () => send(message, account, signal))
        .catch((error: unknown) => {
          if (error instanceof AppError) throw new ChannelFailure('onebot_secret_unreadable', true, error.message)
          throw toFailure(error)
        })
      if (receipt === 'busy') throw new ChannelFailure('onebot_busy', true, 'too many calls under way', 2_000)
      return receipt
    },
  }
}

/** Hears events until the connection breaks. Stored one after the other, in the order they came. */
async function listen(
  egress: Egress,
  account: PlatformAccount,
  hands: ConnectionHands,
  signal: AbortSignal,
): Promise<void> {
  const token = account.secrets()['access_token'] ?? ''
  let storing = Promise.resolve()
  let failed: Error | undefined
  const onEvent = (event: unknown) => {
    const reading = readEvent(event)
    if (reading.messages.length === 0) return
    storing = storing
      .then(() => hands.accept(reading))
      .then(() => markAsRead(reading, (action, params) => socket.call(action, params)))
      .catch((error: unknown) => {
        failed = error instanceof Error ? error : new Error('an event could not be stored')
        socket.close()
      })
  }
  const socket = await openSocket(egress, { url: textIn(account.settings, 'url') ?? '', token, onEvent }, signal)
  // A side that refuses the token closes at once, or answers this with 1403.
  const late = sleep(ANSWER_WITHIN_MS, 0, { ref: false })
  const alive = await Promise.race([socket.call('get_login_info', {}), socket.ended, late])
  if (typeof alive === 'number' || isRefusal(alive)) throw unauthorizedFailure()
  hands.healthy()
  const code = await socket.ended
  await storing
  if (signal.aborted) return
  throw failed ?? new ChannelFailure('onebot_unreachable', true, `the connection ended (${code})`)
}

/** A group that has been listened to shows no unread mark; a side that cannot do it loses nothing. */
function markAsRead({ messages: [message] }: InboundReading, act: Act): void {
  if (message?.launcherType !== 'group') return
  act('mark_group_msg_as_read', { group_id: numberOf(message.launcherId) }).catch(() => undefined)
}

/** Over HTTP events are handed in by the other side; here is only asked whether it is there. */
async function watchHttp(
  egress: Egress,
  account: PlatformAccount,
  hands: ConnectionHands,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await withActions(account, egress, signal, (act) => act('get_login_info', {}))
    hands.healthy()
    await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

const isRefusal = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'retcode' in answer && [1401, 1403].includes(Number(answer.retcode))

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

const numberOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : id)
const idOf = (data: unknown) =>
  typeof data === 'object' && data !== null && 'message_id' in data ? String(data.message_id) : ''

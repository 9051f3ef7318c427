import type { Session } from '../../conversation/session'
import type { Egress } from '../../egress/egress'
import { AppError } from '../../errors'
import { ChannelFailure } from '../channel'
import type { Channel, OutgoingMessage } from '../channel'
import { withFiles } from '../files'
import type { FileSource } from '../files'
import { createLimiter } from '../limiter'
import type { Pace } from '../limiter'
import type { MovedChats, PlatformAccount, PlatformAccounts } from '../platform'
import { sendParts } from '../send-parts'
import { createTelegramApi, newChatId, toFailure } from './api'
import { makeCall, toCalls } from './calls'

/** Telegram's own advice: one message a second to a person, twenty a minute to a group, thirty a second in all; short bursts may pass. */
export const TELEGRAM_PACE = { personMs: 1_000, groupMs: 3_000, botMs: 34 }
const CALLS_PER_BOT = 20
/** Telegram takes no larger files from bots. */
const UPLOAD_BYTES = 50 * 1024 * 1024

export interface TelegramChannelParts {
  accounts: PlatformAccounts
  egress: Egress
  files: FileSource
  movedChats: MovedChats
  pace?: typeof TELEGRAM_PACE
}

/** Sends by the Bot API, in as many calls as the message takes. Telegram drops no repeats. */
export function createTelegramChannel(parts: TelegramChannelParts): Channel {
  const { accounts, egress, files, movedChats, pace = TELEGRAM_PACE } = parts
  const limiter = createLimiter({ width: CALLS_PER_BOT })
  const pacesOf = ({ botUuid, launcherId, launcherType }: Session): Pace[] => [
    { key: `${botUuid}:${launcherId}`, gapMs: launcherType === 'group' ? pace.groupMs : pace.personMs, burst: 2 },
    { key: botUuid, gapMs: pace.botMs, burst: CALLS_PER_BOT },
  ]

  async function send(message: OutgoingMessage, account: PlatformAccount, signal: AbortSignal) {
    const api = openApi(account, egress)
    const { botUuid, launcherId, launcherType } = message.session
    let chatId = await movedChats.reachedBy(botUuid, 'telegram', launcherId)
    const chain = message.chain ?? [{ type: 'Plain', text: message.text }]
    const said = toCalls(await withFiles(chain, message.session.botUuid, files, { maxBytes: UPLOAD_BYTES }))
    const answered = launcherType === 'group' && message.replyTo ? Number(message.replyTo) : undefined
    const target = said.quote ?? answered
    return sendParts(message, said, async (call, index) => {
      if (index > 0) limiter.count(pacesOf(message.session))
      const reply =
        index === 0 && target ? { message_id: target, allow_sending_without_reply: true as const } : undefined
      try {
        return await makeCall(api, call, { chatId, reply }, signal)
      } catch (error) {
        const movedTo = newChatId(error)
        if (movedTo === undefined) throw toFailure(error)
        await movedChats.save(botUuid, 'telegram', { from: chatId, to: movedTo })
        chatId = movedTo
      }
      // The new chat numbers its messages anew: what was answered has no number there.
      return makeCall(api, call, { chatId, reply: undefined }, signal).catch((error: unknown) => {
        throw toFailure(error)
      })
    })
  }

  return {
    name: 'telegram',
    idempotent: false,
    enter: (session) => limiter.enter(session.botUuid, pacesOf(session)),
    async send(message, signal) {
      const account = await accounts.find(message.session.botUuid, 'telegram')
      if (!account) throw new ChannelFailure('telegram_not_configured', false, 'the bot is not set up on Telegram')
      return send(message, account, signal)
    },
  }
}

/** A wrong key is an operator's to mend, and may be mended within the time of the retries. */
function openApi(account: PlatformAccount, egress: Egress) {
  try {
    return createTelegramApi(account, egress)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ChannelFailure('telegram_secret_unreadable', true, error.message)
  }
}

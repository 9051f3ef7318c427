import type { Egress } from '../../egress/egress'
import { AppError } from '../../errors'
import { ChannelFailure } from '../channel'
import type { Channel, OutgoingMessage } from '../channel'
import { createLanes } from '../lanes'
import { createPacer } from '../pacer'
import type { PlatformAccount, PlatformAccounts } from '../platform'
import { sendParts } from '../send-parts'
import { createTelegramApi, toFailure } from './api'
import { makeCall, toCalls } from './calls'

/** Telegram's own advice: one message a second to a person, twenty a minute to a group, thirty a second in all. */
export const TELEGRAM_PACE = { personMs: 1_000, groupMs: 3_000, botMs: 34 }
const CALLS_PER_BOT = 20

export interface TelegramChannelParts {
  accounts: PlatformAccounts
  egress: Egress
  pace?: typeof TELEGRAM_PACE
}

/** Sends by the Bot API, in as many calls as the message takes. Telegram drops no repeats. */
export function createTelegramChannel({ accounts, egress, pace = TELEGRAM_PACE }: TelegramChannelParts): Channel {
  const lanes = createLanes({ width: CALLS_PER_BOT, waitMs: 1_000 })
  const pacer = createPacer()

  async function send(message: OutgoingMessage, account: PlatformAccount, signal: AbortSignal) {
    const api = openApi(account, egress)
    const { botUuid, launcherId: chatId, launcherType } = message.session
    const said = toCalls(message.chain ?? [{ type: 'Plain', text: message.text }])
    const answered = launcherType === 'group' && message.replyTo ? Number(message.replyTo) : undefined
    const target = said.quote ?? answered
    return sendParts(message, said, async (call, index) => {
      await pacer.wait(`${botUuid}:${chatId}`, launcherType === 'group' ? pace.groupMs : pace.personMs, signal)
      await pacer.wait(botUuid, pace.botMs, signal)
      const reply =
        index === 0 && target ? { message_id: target, allow_sending_without_reply: true as const } : undefined
      return makeCall(api, call, { chatId, reply }, signal).catch((error: unknown) => {
        throw toFailure(error)
      })
    })
  }

  return {
    name: 'telegram',
    idempotent: false,
    async send(message, signal) {
      const { botUuid } = message.session
      const account = await accounts.find(botUuid, 'telegram')
      if (!account) throw new ChannelFailure('telegram_not_configured', false, 'the bot is not set up on Telegram')
      const receipt = await lanes.run(botUuid, () => send(message, account, signal))
      if (receipt === 'busy') throw new ChannelFailure('telegram_busy', true, 'too many calls under way', 2_000)
      return receipt
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

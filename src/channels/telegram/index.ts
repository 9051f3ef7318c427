import { randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Egress } from '../../egress/egress'
import { badRequest, unauthorized } from '../../errors'
import type { JsonObject } from '../../contracts/words'
import { checkedUrl, textIn } from '../configuring'
import type { FileSource } from '../files'
import { forStrangers } from '../for-strangers'
import type { ConnectionContext, MovedChats, Platform, PlatformAccount, PlatformAccounts } from '../platform'
import { readableSecrets } from '../platform-accounts'
import { createTelegramApi, toFailure } from './api'
import { createTelegramChannel } from './channel'
import type { TELEGRAM_PACE } from './channel'
import { readUpdate } from './read-update'
import type { Self } from './read-update'

const TOKEN = /^\d{1,20}:[\w-]{30,100}$/
/** What Telegram is asked to tell. */
const UPDATES: ('message' | 'callback_query')[] = ['message', 'callback_query']
const POLL_SECONDS = 25
const LOOK_AT_WEBHOOK_MS = 60_000

export interface TelegramParts {
  accounts: PlatformAccounts
  egress: Egress
  files: FileSource
  movedChats: MovedChats
  pace?: typeof TELEGRAM_PACE
}

/** Telegram by its Bot API: long polling, or a webhook with a secret token. */
export function createTelegram(parts: TelegramParts): Platform {
  const { egress } = parts
  const strangers = forStrangers(parts.accounts)
  return {
    name: 'telegram',
    channel: createTelegramChannel(parts),
    inbound: {
      name: 'telegram',
      async read(botUuid, { headers, body }) {
        const account = await strangers.find(botUuid, 'telegram')
        const secret = account?.settings['mode'] === 'webhook' ? textIn(account.secrets(), 'webhookSecret') : undefined
        const given = headers['x-telegram-bot-api-secret-token']
        if (!account || !secret || !given || !isSame(secret, given)) throw unauthorized('the secret token is wrong')
        const update = parseUpdate(body)
        stopWaiting(createTelegramApi(account, egress), update)
        return readUpdate(update, selfOf(account))
      },
    },
    configure(wanted, present) {
      const before = readableSecrets(present)
      const token = textIn(wanted, 'token') ?? textIn(before, 'token')
      if (token === undefined) throw badRequest('secret_missing', 'token is missing', 'BotFather gives it.')
      if (!TOKEN.test(token)) throw badRequest('bad_secret', 'this is not a token of Telegram', 'BotFather gives it.')
      const settings = readSettings(wanted, egress)
      return { settings, secrets: { token, webhookSecret: textIn(before, 'webhookSecret') ?? newSecret() } }
    },
    async connect(account, context, signal) {
      const api = createTelegramApi(account, egress)
      try {
        const { id, username } = await api.getMe(signal as never)
        await context.remember({ username })
        if (account.settings['mode'] === 'webhook') return await keepWebhook(api, account, context, signal)
        await poll(api, { id, username }, context, signal)
      } catch (error) {
        throw toFailure(error)
      }
    },
    async leave(account, signal) {
      if (account.settings['mode'] !== 'webhook') return
      await createTelegramApi(account, egress).deleteWebhook({}, signal as never)
    },
  }
}

function readSettings(wanted: JsonObject, egress: Egress): JsonObject {
  const mode = textIn(wanted, 'mode') ?? 'polling'
  if (mode !== 'polling' && mode !== 'webhook') throw badRequest('bad_mode', 'mode is polling or webhook')
  const root = textIn(wanted, 'api_root')
  const apiRoot: JsonObject = root === undefined ? {} : { api_root: checkedUrl(egress, root).replace(/\/+$/, '') }
  const url = textIn(wanted, 'webhook_url')
  if (mode === 'polling') return { mode, ...apiRoot }
  if (url === undefined || !/^https?:\/\//.test(url)) {
    throw badRequest(
      'bad_url',
      'webhook_url is missing',
      'Where Telegram reaches /api/v1/channels/telegram/<bot> of ours.',
    )
  }
  return { mode, webhook_url: url, ...apiRoot }
}

/** Reads on from where it was read before. What was handed out and not confirmed comes again, and is dropped by its id. */
async function poll(api: Api, self: Self, context: ConnectionContext, signal: AbortSignal): Promise<void> {
  await api.deleteWebhook({}, signal as never)
  let offset = context.cursor ?? undefined
  context.healthy()
  while (!signal.aborted) {
    const wanted = { offset, timeout: POLL_SECONDS, allowed_updates: UPDATES }
    const updates = await api.getUpdates(wanted, signal as never)
    for (const update of updates) {
      await context.accept(readUpdate(update, self))
      stopWaiting(api, update)
      offset = update.update_id + 1
    }
    if (updates.length > 0 && offset !== undefined) await context.saveCursor(offset)
    context.healthy()
  }
}

/** Whoever pressed a button sees it wait until we say that we heard; the answer is a message. Nothing depends on it. */
function stopWaiting(api: Api, { callback_query: pressed }: Update): void {
  if (pressed) void api.answerCallbackQuery(pressed.id).catch(() => undefined)
}

/** Tells Telegram where we are, and looks now and then whether it still knows. */
async function keepWebhook(
  api: Api,
  { settings, secrets }: PlatformAccount,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const url = textIn(settings, 'webhook_url') ?? ''
  const secret_token = textIn(secrets(), 'webhookSecret')
  const tell = () => api.setWebhook(url, { secret_token, allowed_updates: UPDATES }, signal as never)
  // Telegram does not say which secret token it knows: it is told by every connection.
  await tell()
  while (!signal.aborted) {
    const known = await api.getWebhookInfo(signal as never)
    if (known.url !== url) await tell()
    context.healthy()
    await sleep(LOOK_AT_WEBHOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** The number of a bot is the first part of its token. */
function selfOf({ settings, secrets }: PlatformAccount): Self {
  const username = settings['username']
  return {
    id: Number(textIn(secrets(), 'token')?.split(':')[0]),
    username: typeof username === 'string' ? username : undefined,
  }
}

function parseUpdate(body: string): Update {
  try {
    const update: unknown = JSON.parse(body)
    if (typeof update === 'object' && update !== null && 'update_id' in update) return update as Update
  } catch {
    // Said below, like every other thing that is no update.
  }
  throw badRequest('bad_message', 'the body is not an update of Telegram')
}

const newSecret = () => randomBytes(32).toString('base64url')
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

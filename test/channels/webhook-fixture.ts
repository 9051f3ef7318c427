import { randomBytes } from 'node:crypto'
import { createSecretBox } from '../../src/access/secret-box'
import { createSignedLinks } from '../../src/access/signed-links'
import { createPlatformAccounts } from '../../src/channels/platform-accounts'
import { ChannelFailure } from '../../src/channels/channel'
import type { OutgoingMessage } from '../../src/channels/channel'
import { createWebhookChannel } from '../../src/channels/webhook/channel'
import type { Session } from '../../src/conversation/session'
import { createEgress } from '../../src/egress/egress'
import { createArtifactStore } from '../../src/runs/artifact-store'
import { createBotChannelStore } from '../../src/channels/bot-channel-store'
import { createClock } from '../../src/engine/clock'
import { createDatabase } from '../../src/engine/database'
import { createMovedChatStore } from '../../src/channels/moved-chat-store'
import { startLedger } from '../support/ledger'
import { createTestDatabase } from '../support/services'

export const SECRET_KEY = 'a key for tests only, 32 bytes or more'
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The real channel on a real database, before a ledger in its own process. */
export async function buildWebhooks(options: { deadlineMs?: number; callsPerBot?: number } = {}) {
  const { url, drop } = await createTestDatabase()
  const database = createDatabase(url, 4)
  const ledger = await startLedger()
  const store = createBotChannelStore(database.prisma)
  const egress = createEgress({ trustedHosts: ['127.0.0.1'] })
  const accounts = createPlatformAccounts({ store, box: createSecretBox(SECRET_KEY) })
  const movedChats = createMovedChatStore(database.prisma)
  const signedLinks = createSignedLinks({ secretKey: SECRET_KEY, publicUrl: 'https://bot.example.com/' })
  const files = { find: createArtifactStore(database).find, linkTo: signedLinks.linkTo }
  const clock = createClock(database)
  const channel = createWebhookChannel({ accounts, egress, files, clock, deadlineMs: 3_000, ...options })
  return {
    ...{ database, ledger, store, accounts, egress, files, clock, movedChats, channel },
    pointAt: (botUuid: string, to = ledger.url, secret = ledger.secret) =>
      accounts.save(botUuid, 'webhook', { settings: { url: to }, secrets: { current: secret } }),
    send: (message: OutgoingMessage) => channel.send(message, AbortSignal.timeout(15_000)),
    /** As the product does it: with a place, or not at all. */
    async sendInPlace(message: OutgoingMessage) {
      const entry = channel.enter(message.session)
      if ('waitMs' in entry) throw new ChannelFailure('busy', true, 'there is no place')
      return channel.send(message, AbortSignal.timeout(15_000)).finally(() => entry.release())
    },
    async close() {
      await egress.close()
      await ledger.close()
      await database.close()
      await drop()
    },
  }
}

export function messageOf(
  botUuid: string,
  id = `scheduled-message/${randomBytes(8).toString('hex')}`,
): OutgoingMessage {
  const session: Session = {
    ...{ sessionKey: `${botUuid}:webhook:person:mia`, botUuid, channel: 'webhook', launcherType: 'person' },
    ...{ launcherId: 'mia', pipelineUuid: null, timezone: 'Asia/Shanghai', language: 'zh', title: null },
    ...{ createdAt: new Date(), updatedAt: new Date() },
  }
  return { id, session, text: '该喝水了 CANARY-TEXT', sourceKind: 'scheduled_send' }
}

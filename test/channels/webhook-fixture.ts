import { randomBytes } from 'node:crypto'
import { createSecretBox } from '../../src/access/secret-box'
import { createBotChannels } from '../../src/channels/bot-channels'
import type { OutgoingMessage } from '../../src/channels/channel'
import { createWebhookChannel } from '../../src/channels/webhook-channel'
import { createWebhookEndpoints } from '../../src/channels/webhook-endpoints'
import type { Session } from '../../src/contracts/session'
import { createEgress } from '../../src/egress/egress'
import { createBotChannelStore } from '../../src/store/bot-channel-store'
import { createBotStore } from '../../src/store/bot-store'
import { createDatabase } from '../../src/store/database'
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
  const bots = createBotStore(database.prisma)
  const egress = createEgress({ trustedHosts: ['127.0.0.1'] })
  const endpoints = createWebhookEndpoints({ store, box: createSecretBox(SECRET_KEY) })
  const channel = createWebhookChannel({ endpoints, egress, deadlineMs: 1_000, ...options })
  return {
    ...{ database, ledger, store, endpoints, egress, channel },
    botChannels: createBotChannels({ bots, endpoints, egress }),
    pointAt: (botUuid: string, to = ledger.url, secret = ledger.secret) =>
      endpoints.save(botUuid, { url: to, secrets: { current: secret } }),
    send: (message: OutgoingMessage) => channel.send(message, AbortSignal.timeout(15_000)),
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

import type { SecretBox } from '../access/secret-box'
import type { BotChannelStore } from '../store/bot-channel-store'
import { parseSecrets } from './webhook-secrets'
import type { WebhookSecrets } from './webhook-secrets'

export interface WebhookEndpoint {
  url: string
  disabledAt: Date | null
  disabledReason: string | null
  updatedAt: Date
  /** Opened only when needed, so that an endpoint can be looked at although its key is gone. */
  secrets(): WebhookSecrets
}

/** Where each bot's webhook points, with its secrets sealed at rest. */
export interface WebhookEndpoints {
  find(botUuid: string): Promise<WebhookEndpoint | null>
  save(botUuid: string, wanted: { url: string; secrets: WebhookSecrets }): Promise<WebhookEndpoint>
  disable(botUuid: string, cause: { url: string; reason: string }): Promise<boolean>
  remove(botUuid: string): Promise<boolean>
}

type Row = NonNullable<Awaited<ReturnType<BotChannelStore['find']>>>

export function createWebhookEndpoints(parts: { store: BotChannelStore; box: SecretBox }): WebhookEndpoints {
  const { store, box } = parts
  const show = (row: Row): WebhookEndpoint => ({
    url: urlOf(row),
    disabledAt: row.disabledAt,
    disabledReason: row.disabledReason,
    updatedAt: row.updatedAt,
    secrets: () => parseSecrets(box.open(row.secret ?? '', placeOf(row.botUuid))),
  })
  return {
    async find(botUuid) {
      const row = await store.find(botUuid, 'webhook')
      return row && show(row)
    },
    async save(botUuid, { url, secrets }) {
      const secret = box.seal(JSON.stringify(secrets), placeOf(botUuid))
      return show(await store.save(botUuid, 'webhook', { settings: { url }, secret }))
    },
    disable: (botUuid, cause) => store.disable(botUuid, 'webhook', cause),
    remove: (botUuid) => store.remove(botUuid, 'webhook'),
  }
}

const placeOf = (botUuid: string) => `bot_channels/${botUuid}/webhook`

function urlOf({ settings }: Row): string {
  const isObject = typeof settings === 'object' && settings !== null && !Array.isArray(settings)
  const url = isObject ? settings['url'] : undefined
  if (typeof url !== 'string') throw new Error('a webhook row has no url in its settings')
  return url
}

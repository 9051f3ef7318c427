import { maySeeBot } from '../access/scopes'
import type { Caller } from '../contracts/caller'
import type { Egress } from '../egress/egress'
import { AppError, notFound } from '../errors'
import type { BotChannels, WebhookView } from '../http/front-door'
import type { BotStore } from '../store/bot-store'
import { checkedUrl } from './configuring'
import type { WebhookEndpoint, WebhookEndpoints } from './webhook-endpoints'
import { makeSecret, requireSecret, rotate } from './webhook-secrets'
import type { WebhookSecrets } from './webhook-secrets'

export interface BotChannelsParts {
  bots: Pick<BotStore, 'find'>
  endpoints: WebhookEndpoints
  egress: Pick<Egress, 'check'>
}

/** Sets where a bot's messages go. A bot the caller may not see is as good as absent. */
export function createBotChannels({ bots, endpoints, egress }: BotChannelsParts): BotChannels {
  const requireBot = async (caller: Caller, uuid: string): Promise<void> => {
    if (!maySeeBot(caller, uuid) || !(await bots.find(uuid))) throw notFound(`bot ${uuid}`)
  }
  return {
    requireBot,

    async setWebhook(caller, botUuid, wanted) {
      await requireBot(caller, botUuid)
      const url = checkedUrl(egress, wanted.url)
      const present = await endpoints.find(botUuid)
      const made = wanted.secret === undefined && !present ? makeSecret() : null
      const given = wanted.secret === undefined ? made : requireSecret(wanted.secret)
      const secrets = nextSecrets(present, given)
      const view = showEndpoint(await endpoints.save(botUuid, { url, secrets }))
      return { ...view, secret: made, previousSecretUntil: untilOf(secrets) }
    },

    async getWebhook(caller, botUuid) {
      await requireBot(caller, botUuid)
      const endpoint = await endpoints.find(botUuid)
      if (!endpoint) throw noWebhook(botUuid)
      return showEndpoint(endpoint)
    },

    async removeWebhook(caller, botUuid) {
      await requireBot(caller, botUuid)
      if (!(await endpoints.remove(botUuid))) throw noWebhook(botUuid)
    },
  }
}

/** With no new secret the present ones stay; with one, they are rotated. */
function nextSecrets(present: WebhookEndpoint | null, given: string | null): WebhookSecrets {
  if (given === null && present) return present.secrets()
  return rotate(present && readable(present), given ?? makeSecret(), Date.now())
}

/** A secret whose key is lost cannot sign any more, and must not stand in the way of a new one. */
function readable(endpoint: WebhookEndpoint): WebhookSecrets | null {
  try {
    return endpoint.secrets()
  } catch (error) {
    if (error instanceof AppError && error.code === 'secret_unreadable') return null
    throw error
  }
}

function showEndpoint({ url, disabledAt, disabledReason, updatedAt }: WebhookEndpoint): WebhookView {
  return { url, enabled: disabledAt === null, disabledAt, disabledReason, updatedAt }
}

const untilOf = ({ previous }: WebhookSecrets) => (previous ? new Date(previous.untilMs) : null)
const noWebhook = (botUuid: string) => notFound(`the webhook of bot ${botUuid}`, 'Set it with PUT.')

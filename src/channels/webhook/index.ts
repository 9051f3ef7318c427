import type { JsonObject } from '../../contracts/words'
import { badRequest } from '../../errors'
import { checkedUrl, textIn } from '../configuring'
import type { Configured, Platform, PlatformAccount } from '../platform'
import { readableSecrets } from '../platform-accounts'
import { createWebhookChannel } from './channel'
import type { WebhookChannelParts } from './channel'
import { createWebhookInbound } from './inbound'
import { isSecrets, makeSecret, parseSecrets, requireSecret, rotate } from './secrets'
import type { WebhookSecrets } from './secrets'

/** Any program that can be called, and can sign what it hands in. */
export function createWebhook(parts: WebhookChannelParts): Platform {
  return {
    name: 'webhook',
    channel: createWebhookChannel(parts),
    inbound: createWebhookInbound(parts),
    async configure(wanted, present) {
      const url = textIn(wanted, 'url') ?? present?.settings['url']
      if (typeof url !== 'string')
        throw badRequest('bad_url', 'url is missing', 'Give a whole URL such as https://example.com/hook.')
      return {
        settings: { url: checkedUrl(parts.egress, url) },
        ...nextSecrets(wanted, present, await parts.clock.now()),
      }
    },
  }
}

/** With no new secret the present ones stay; with one, they are rotated. */
function nextSecrets(wanted: JsonObject, present: PlatformAccount | null, now: Date): Omit<Configured, 'settings'> {
  const given = textIn(wanted, 'secret')
  if (given === undefined && present) return sealed(parseSecrets(present.secrets()), null)
  const made = given === undefined ? makeSecret() : null
  const before = readableSecrets(present)
  const next = made ?? requireSecret(given ?? '')
  return sealed(rotate(isSecrets(before) ? before : null, next, now.getTime()), made)
}

function sealed({ current, previous }: WebhookSecrets, madeSecret: string | null): Omit<Configured, 'settings'> {
  const secrets: JsonObject = previous ? { current, previous: { ...previous } } : { current }
  return { secrets, madeSecret, previousSecretUntil: previous ? new Date(previous.untilMs) : null }
}

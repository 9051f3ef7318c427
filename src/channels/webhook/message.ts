import { Webhook } from 'standardwebhooks'
import type { OutgoingMessage } from '../channel'

/** The body a receiver gets. Its fields are a contract: add, never rename. */
export function writeBody({ id, session, text, chain, sourceKind, replyTo = null }: OutgoingMessage, at: Date): string {
  return JSON.stringify({
    type: 'message',
    id,
    bot_uuid: session.botUuid,
    session_key: session.sessionKey,
    launcher_type: session.launcherType,
    launcher_id: session.launcherId,
    source_kind: sourceKind,
    reply_to: replyTo,
    text,
    message_chain: chain ?? [{ type: 'Plain', text }],
    timestamp: at.toISOString(),
  })
}

/** Standard Webhooks; one signature for each secret that is valid now. */
export function signHeaders(id: string, body: string, secrets: readonly string[], at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

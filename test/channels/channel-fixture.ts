import type { FastifyInstance } from 'fastify'
import type { Session } from '../../src/conversation/session'
import type { ChannelName, SourceKind } from '../../src/contracts/words'
import type { Product as Parts } from '../../src/build/product'
import { inTransaction } from '../../src/engine/database'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../../src/engine/session-writes'
import { eventually } from '../support/eventually'
import { startLedger } from '../support/ledger'
import type { Ledger } from '../support/ledger'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'

export interface ChannelFixture {
  product: Product
  model: ScriptedModel
  ledger: Ledger
  app: FastifyInstance
  /** A session of the bot on that channel. */
  open(launcherId: string, channel?: ChannelName, botUuid?: string): Promise<Session>
  /** Something the bot says on its own, as automations, feedback and pushes do. */
  say(session: Session, content: string, sourceKind?: SourceKind): Promise<number>
  /** What the ledger got for a session and accepted, in the order it came. */
  arrived(session: Session): Promise<string[]>
  delivered(session: Session, count: number, limitMs?: number): Promise<void>
  close(): Promise<void>
}

/** A product whose bot speaks through a webhook to the ledger, with a scripted model and a worker. */
export async function buildChannelFixture(
  env: Record<string, string> = {},
  /** What the worker is given in place of the product's own parts. */
  adapt: (parts: Parts) => Partial<Parts> = () => ({}),
): Promise<ChannelFixture> {
  const [model, ledger] = await Promise.all([startScriptedModel(), startLedger()])
  const settings = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0' }
  const product = await buildProduct({ ...settings, TRUSTED_EGRESS_HOSTS: '127.0.0.1', ...env })
  const { parts, botUuid } = product
  const app = await product.serve()
  await parts.botPlatforms.set(ADMIN, botUuid, 'webhook', { url: ledger.url, secret: ledger.secret })
  await product.startWorker({ ...parts, ...adapt(parts) })
  const accepted = async ({ sessionKey }: Session) =>
    (await ledger.entries()).filter((entry) => entry.sessionKey === sessionKey && entry.accepted)
  return {
    ...{ product, model, ledger, app },
    open: (launcherId, channel = 'webhook', of = botUuid) =>
      parts.sessions.resolve(ADMIN, { botUuid: of, launcherId, channel }),
    say: (session, content, sourceKind = 'push') =>
      inTransaction(parts.database.pool, async (db) => {
        await lockSession(db, session.sessionKey)
        const message = { role: 'assistant' as const, senderId: session.botUuid, content, sourceKind }
        const stored = await insertMessage(db, session, message)
        await appendEvents(db, session.sessionKey, [messageEvent(stored)])
        return stored.id
      }),
    arrived: async (session) => (await accepted(session)).map(({ text }) => text ?? ''),
    async delivered(session, count, limitMs) {
      await eventually(async () => (await accepted(session)).length >= count, limitMs)
    },
    async close() {
      await app.close()
      await product.close()
      await ledger.close()
      await model.close()
    },
  }
}

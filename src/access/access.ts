import { v7, validate as isUuid } from 'uuid'
import { maySeeBot } from '../contracts/caller'
import type { Caller, Scope } from '../contracts/caller'
import { badRequest, conflict, forbidden, notFound } from '../errors'
import type { ApiKeyStore } from './api-key-store'
import type { BotChange, BotStore } from './bot-store'
import type { ApiKey, Bot } from '../engine/generated/client'
import type { UserStore } from './user-store'
import { generateApiKey, hashSecret } from './api-key'
import { createAuthentication } from './authentication'
import type { Authentication } from './authentication'
import { expandScopes, maySeeKey } from './scopes'

export interface NewApiKey {
  name: string
  scopes: readonly Scope[]
  /** Empty: every bot, those to come included. */
  botUuids: readonly string[]
}

export interface NewBot {
  name: string
  uuid?: string
  pipelineUuid?: string
}

/** Who may come in, and what they may manage. What a caller may not see is answered as absent. */
export interface Access extends Authentication {
  /** The key itself is in this answer and never again. */
  createApiKey(caller: Caller, wanted: NewApiKey): Promise<{ key: string; record: ApiKey }>
  listApiKeys(caller: Caller): Promise<ApiKey[]>
  revokeApiKey(caller: Caller, id: string): Promise<ApiKey>
  createBot(caller: Caller, wanted: NewBot): Promise<Bot>
  listBots(caller: Caller): Promise<Bot[]>
  getBot(caller: Caller, uuid: string): Promise<Bot>
  updateBot(caller: Caller, uuid: string, change: BotChange): Promise<Bot>
  /** Forgets the bot with all that was said. Throws `bot_has_promises` while something is pending in its name. */
  deleteBot(caller: Caller, uuid: string): Promise<void>
}

/** What access must ask of others about a bot. */
export interface BotRules {
  knowsPipeline(uuid: string): Promise<boolean>
  hasPromises(botUuid: string): Promise<boolean>
  /** Takes a bot that is deleted off its platforms, secrets and all. */
  leavePlatforms(botUuid: string): Promise<void>
  /** Forgets all that was said to and by the bot. */
  forget(botUuid: string): Promise<void>
}

const NO_RULES: BotRules = {
  knowsPipeline: async () => true,
  hasPromises: async () => false,
  leavePlatforms: async () => undefined,
  forget: async () => undefined,
}

export interface AccessStores {
  users: UserStore
  keys: ApiKeyStore
  bots: BotStore
}

export function createAccess(stores: AccessStores, rules: BotRules = NO_RULES): Access {
  const { keys, bots } = stores
  const authentication = createAuthentication(stores)
  return {
    ...authentication,

    async createApiKey(caller, wanted) {
      if (wanted.botUuids.length === 0) requireAllBots(caller)
      for (const uuid of wanted.botUuids) await requireBot(bots, caller, uuid)
      const key = generateApiKey()
      const row = { name: wanted.name, scopes: expandScopes(wanted.scopes), botUuids: [...wanted.botUuids] }
      const record = await keys.create({ ...row, keyHash: hashSecret(key), lastFour: key.slice(-4) })
      return { key, record }
    },

    async listApiKeys(caller) {
      const all = await keys.list()
      return all.filter((key) => maySeeKey(caller, key.botUuids))
    },

    async revokeApiKey(caller, id) {
      const known = isUuid(id) ? await keys.find(id) : null
      if (!known || !maySeeKey(caller, known.botUuids)) throw notFound(`API key ${id}`)
      const revoked = await keys.revoke(id)
      authentication.forgetKey(known.keyHash)
      return revoked ?? known
    },

    async createBot(caller, wanted) {
      requireAllBots(caller)
      await requirePipeline(rules, wanted.pipelineUuid)
      const uuid = wanted.uuid ?? v7()
      const bot = await bots.create({ ...wanted, uuid })
      if (!bot) throw conflict('bot_exists', `there is a bot ${uuid} already`)
      return bot
    },

    listBots: (caller) => bots.list(caller.bots),

    getBot: (caller, uuid) => requireBot(bots, caller, uuid),

    async updateBot(caller, uuid, change) {
      await requireBot(bots, caller, uuid)
      await requirePipeline(rules, change.pipelineUuid)
      const updated = await bots.update(uuid, change)
      if (!updated) throw notFound(`bot ${uuid}`)
      return updated
    },

    async deleteBot(caller, uuid) {
      await requireBot(bots, caller, uuid)
      if (await rules.hasPromises(uuid)) {
        throw conflict('bot_has_promises', 'something is still pending in the name of this bot', 'Cancel it first.')
      }
      await bots.remove(uuid)
      await rules.leavePlatforms(uuid)
      await rules.forget(uuid)
    },
  }
}

async function requireBot(bots: BotStore, caller: Caller, uuid: string): Promise<Bot> {
  const bot = maySeeBot(caller, uuid) ? await bots.find(uuid) : null
  if (!bot) throw notFound(`bot ${uuid}`)
  return bot
}

async function requirePipeline({ knowsPipeline }: BotRules, uuid: string | undefined): Promise<void> {
  if (uuid === undefined || (await knowsPipeline(uuid))) return
  throw badRequest('unknown_pipeline', `there is no pipeline "${uuid}"`, 'See GET /api/v1/pipelines.')
}

function requireAllBots(caller: Caller): void {
  if (caller.bots === 'all') return
  throw forbidden(
    'all_bots_required',
    'this key is bound to some bots only',
    'Name the bots of the new key, or use an administrator.',
  )
}

import { v7 } from 'uuid'
import type { Caller, Scope } from '../contracts/caller'
import { conflict, forbidden, notFound } from '../errors'
import type { ApiKeyStore } from '../store/api-key-store'
import type { BotStore } from '../store/bot-store'
import type { ApiKey, Bot } from '../store/generated/client'
import type { UserStore } from '../store/user-store'
import { generateApiKey, hashSecret } from './api-key'
import { createAuthentication } from './authentication'
import type { Authentication } from './authentication'
import { expandScopes, maySeeBot, maySeeKey } from './scopes'

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
}

export interface AccessStores {
  users: UserStore
  keys: ApiKeyStore
  bots: BotStore
}

export function createAccess(stores: AccessStores): Access {
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
      const known = await keys.find(id)
      if (!known || !maySeeKey(caller, known.botUuids)) throw notFound(`API key ${id}`)
      const revoked = await keys.revoke(id)
      authentication.forgetKey(known.keyHash)
      return revoked ?? known
    },

    async createBot(caller, wanted) {
      requireAllBots(caller)
      const uuid = wanted.uuid ?? v7()
      const bot = await bots.create({ ...wanted, uuid })
      if (!bot) throw conflict('bot_exists', `there is a bot ${uuid} already`)
      return bot
    },

    listBots: (caller) => bots.list(caller.bots),
  }
}

async function requireBot(bots: BotStore, caller: Caller, uuid: string): Promise<void> {
  if (!maySeeBot(caller, uuid) || !(await bots.find(uuid))) throw notFound(`bot ${uuid}`)
}

function requireAllBots(caller: Caller): void {
  if (caller.bots === 'all') return
  throw forbidden(
    'all_bots_required',
    'this key is bound to some bots only',
    'Name the bots of the new key, or use an administrator.',
  )
}

import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import type { ConversationKey, HistoryFilter, HistoryRow, InactiveConversation } from './history-contract'
import { notFound } from '../errors'
import type { HistoryStore } from './sql/history'

/** What was said to and by a bot, over all sessions. */
export interface ConversationHistory {
  read(filter: HistoryFilter): Promise<HistoryRow[]>
  inactive: (filter: Parameters<HistoryStore['inactive']>[0]) => Promise<InactiveConversation[]>
  /** Deletes it, and on wish cancels what is pending, and the person's tasks. Throws `not_found` for a bot the caller may not see. */
  forget(
    caller: Caller,
    key: ConversationKey,
    wish: { cancelPromises: boolean },
  ): Promise<{ deleted: number; cancelled: number }>
}

/** Cancels what a session has promised; answers how much that was. */
export type CancelPromises = (sessionKey: string) => Promise<number>

export function createConversationHistory(parts: {
  store: HistoryStore
  /** One for each kind of promise. */
  cancels: readonly CancelPromises[]
  /** What this machine still has of these sessions outside the database. */
  forgetFiles(sessionKeys: readonly string[]): Promise<void>
  /** The id under which a chat is known here: its platform may have given it another one since. */
  knownAs(id: string, where: { botUuid?: string }): Promise<string>
}): ConversationHistory {
  const { store, cancels, knownAs } = parts
  return {
    async read({ launcherId, ...filter }) {
      if (launcherId === undefined) return store.read(filter)
      return store.read({ ...filter, launcherId: await knownAs(launcherId, { botUuid: filter.botUuid }) })
    },
    inactive: store.inactive,

    async forget(caller, { launcherId, ...whose }, { cancelPromises }) {
      if (!maySeeBot(caller, whose.botUuid)) throw notFound(`bot ${whose.botUuid}`)
      const key = { ...whose, launcherId: await knownAs(launcherId, { botUuid: whose.botUuid }) }
      let cancelled = 0
      // First, for a cancelled run still leaves a word in the conversation.
      for (const sessionKey of cancelPromises ? await store.sessionsOf(key) : []) {
        for (const cancel of cancels) cancelled += await cancel(sessionKey)
      }
      const { deleted, sessionKeys } = await store.delete(key, cancelPromises)
      await parts.forgetFiles(sessionKeys)
      return { deleted, cancelled }
    },
  }
}

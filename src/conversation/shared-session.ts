import type { NewSession } from './session'
import { ownName } from '../contracts/session-key'
import type { SessionStore } from './sql/session-store'

export const UNIFIED_KEY = 'unified:default'

/** In unified mode a web chat thinks, and is read, in the session that all web chats of its bot share. */
export function sharedOf<T extends NewSession>(session: T): T {
  const isThread =
    session.channel === 'web' && session.launcherType === 'person' && !/^(unified|cron):/.test(ownName(session))
  return isThread ? { ...session, sessionKey: UNIFIED_KEY, launcherId: UNIFIED_KEY, title: null } : session
}

/** Where it is kept when another bot has its key. */
export const otherKeysOf = ({ sessionKey, botUuid }: NewSession): string[] =>
  sessionKey === UNIFIED_KEY ? [`unified:${botUuid}`] : []

/** Where what was set up in a session is heard. It stays bound to that session, whatever the mode is now. */
export interface SharedSessions {
  /** The session in which the people of that one read now. */
  heardIn(sessionKey: string): Promise<string>
  /** Whether web threads of the bot are read in that session. */
  hasThreads(sessionKey: string): boolean
  /** Whether web chats share a session at all. */
  isUnified: boolean
}

export function createSharedSessions(
  sessions: Pick<SessionStore, 'find' | 'findOrCreate'>,
  unified: boolean,
): SharedSessions {
  return {
    isUnified: unified,
    async heardIn(sessionKey) {
      const session = unified ? await sessions.find(sessionKey) : null
      if (!session) return sessionKey
      const shared = sharedOf(session)
      return shared === session ? sessionKey : (await sessions.findOrCreate(shared, ...otherKeysOf(shared))).sessionKey
    },
    hasThreads: (sessionKey) => unified && /^([^/]+\/)?unified:/.test(sessionKey),
  }
}

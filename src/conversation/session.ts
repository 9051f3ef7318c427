import type { ChannelName, Language, LauncherType } from '../contracts/words'

/** One conversation. Private means `launcherType` person. */
export interface Session {
  sessionKey: string
  botUuid: string
  channel: ChannelName
  launcherType: LauncherType
  launcherId: string
  pipelineUuid: string | null
  timezone: string
  language: Language | null
  title: string | null
  createdAt: Date
  updatedAt: Date
}

/** A session as it is to be made. */
export type NewSession = Omit<Session, 'createdAt' | 'updatedAt'>

/** What a request may say about the session it means; the rest follows. */
export interface SessionAddress {
  sessionKey?: string
  botUuid?: string
  channel?: ChannelName
  launcherType?: LauncherType
  launcherId?: string
  pipelineUuid?: string
  timezone?: string
  language?: Language
}

/** A session as it is, or as it would be made. */
export type SeenSession = NewSession & { isStored: boolean }

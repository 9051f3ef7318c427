import type { ChannelName, Language, LauncherType, ZoneSource } from '../contracts/words'

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

/** A session as it is to be made. Its zone is the default unless it says where it comes from. */
export type NewSession = Omit<Session, 'createdAt' | 'updatedAt'> & { zoneSource?: ZoneSource }

/** What a request may say about the session it means; the rest follows. */
export interface SessionAddress {
  sessionKey?: string
  botUuid?: string
  channel?: ChannelName
  launcherType?: LauncherType
  launcherId?: string
  pipelineUuid?: string
  timezone?: string
  /** Who says so; a program, unless it is the platform. */
  zoneSource?: Exclude<ZoneSource, 'default'>
  language?: Language
}

/** A session as it is, or as it would be made. */
export type SeenSession = NewSession & { isStored: boolean }

import type { ChannelName, Language, LauncherType } from './words'

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

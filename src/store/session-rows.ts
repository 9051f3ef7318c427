import type { Session } from '../contracts/session'
import type { ChannelName, Language, LauncherType } from '../contracts/words'

export interface SessionRow {
  session_key: string
  bot_uuid: string
  channel: ChannelName
  launcher_type: LauncherType
  launcher_id: string
  pipeline_uuid: string | null
  timezone: string
  language: Language | null
  title: string | null
  event_seq: number
  turn_fence: number
  created_at: Date
  updated_at: Date
}

export function toSession(row: SessionRow): Session {
  return {
    sessionKey: row.session_key,
    botUuid: row.bot_uuid,
    channel: row.channel,
    launcherType: row.launcher_type,
    launcherId: row.launcher_id,
    pipelineUuid: row.pipeline_uuid,
    timezone: row.timezone,
    language: row.language,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

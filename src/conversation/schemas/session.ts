import { Type } from 'typebox'
import type { Notifications } from '../../reminders/notifications'
import { ZONE_SOURCES } from '../../contracts/words'
import type { Zone } from '../../reminders/zone-store'
import type { Session } from '../session'
import { Nullable } from '../../http/schemas/primitives'

const fields = {
  session_key: Type.String(),
  bot_uuid: Type.String(),
  channel: Type.String(),
  launcher_type: Type.String(),
  launcher_id: Type.String(),
  pipeline_uuid: Nullable(Type.String()),
  timezone: Type.String(),
  language: Nullable(Type.String()),
  title: Nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
}
export const SessionView = Type.Object(fields)

const Clock = (description: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, examples: ['22:00'] })

export const QuietHoursSchema = Type.Object({
  start: Clock('Local time in the zone of the session.'),
  end: Clock('When what was held back is sent; may be on the next day.'),
})

export const SessionSettingsView = Type.Object({
  ...fields,
  pushes_enabled: Type.Boolean({ description: 'Whether programs may push here.' }),
  quiet_hours: Nullable(QuietHoursSchema),
  timezone_source: Type.Enum(ZONE_SOURCES, {
    description: 'Where the zone comes from: nobody said it, the person did, the platform or a program.',
  }),
})

export function showSession(session: Session) {
  return {
    session_key: session.sessionKey,
    bot_uuid: session.botUuid,
    channel: session.channel,
    launcher_type: session.launcherType,
    launcher_id: session.launcherId,
    pipeline_uuid: session.pipelineUuid,
    timezone: session.timezone,
    language: session.language,
    title: session.title,
    created_at: session.createdAt.toISOString(),
    updated_at: session.updatedAt.toISOString(),
  }
}

export function showSettings(session: Session, { pushes, quietHours }: Notifications, zone: Zone) {
  const { timezone, source } = zone
  return { ...showSession(session), timezone, timezone_source: source, pushes_enabled: pushes, quiet_hours: quietHours }
}

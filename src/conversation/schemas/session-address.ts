import { Type } from 'typebox'
import type { Static } from '@fastify/type-provider-typebox'
import { CHANNELS, LANGUAGES, LAUNCHER_TYPES } from '../../contracts/words'
import type { SessionAddress } from '../session'

const Id = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** How a request says which session it means; all of it may be left out. */
export const SessionAddressFields = {
  session_key: Type.Optional(Id(512)),
  bot_uuid: Type.Optional(Id(255)),
  channel: Type.Optional(Type.Enum(CHANNELS)),
  launcher_type: Type.Optional(Type.Enum(LAUNCHER_TYPES)),
  launcher_id: Type.Optional(Id(255)),
  pipeline_uuid: Type.Optional(Id(255)),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['Asia/Shanghai'] })),
  language: Type.Optional(Type.Enum(LANGUAGES)),
}
export const SessionAddressSchema = Type.Object(SessionAddressFields)

export function addressOf(body: Static<typeof SessionAddressSchema>): SessionAddress {
  return {
    sessionKey: body.session_key,
    botUuid: body.bot_uuid,
    channel: body.channel,
    launcherType: body.launcher_type,
    launcherId: body.launcher_id,
    pipelineUuid: body.pipeline_uuid,
    timezone: body.timezone,
    language: body.language,
  }
}

import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LANGUAGES } from '../../contracts/words'
import { badRequest } from '../../errors'
import { callerOf } from '../../http/auth'
import type { SessionDirectory } from '../session-directory'
import type { NotificationStore } from '../../reminders/notification-store'
import type { ZoneStore } from '../../reminders/zone-store'
import { Id, Nullable } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'
import { QuietHoursSchema, SessionSettingsView, showSettings } from '../schemas/session'

const params = Type.Object({ key: Id(512) })
const answers = { 200: successSchema(SessionSettingsView), ...GUARDED, ...failures(404) }

const get = {
  operationId: 'getSession',
  summary: 'A session and what its person wants to hear',
  tags: ['sessions'],
  params,
  response: answers,
}

const patch = {
  operationId: 'changeSession',
  summary: 'Change the title, the zone, the language, pushes and quiet hours of a session',
  description: 'Turning pushes off also cancels those that wait for the end of quiet hours.',
  tags: ['sessions'],
  params,
  body: Type.Object(
    {
      title: Type.Optional(Type.String({ maxLength: 200, description: 'An empty one takes it away.' })),
      timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      language: Type.Optional(Type.Enum(LANGUAGES)),
      pushes_enabled: Type.Optional(Type.Boolean()),
      quiet_hours: Type.Optional(Nullable(QuietHoursSchema)),
    },
    { additionalProperties: false },
  ),
  response: { ...answers, ...WITH_BODY },
}

const PATH = '/api/v1/sessions/:key'

export function sessionSettingsRoutes({
  sessions,
  notifications,
  zones,
}: {
  sessions: SessionDirectory
  notifications: NotificationStore
  zones: ZoneStore
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(PATH, { schema: get, config: { auth: 'read' } }, async (request) => {
      const session = await sessions.open(callerOf(request), request.params.key)
      const { sessionKey } = session
      return success(showSettings(session, await notifications.read(sessionKey), await zones.read(sessionKey)))
    })

    app.patch(PATH, { schema: patch, config: { auth: 'send' } }, async (request) => {
      const caller = callerOf(request)
      const { key } = request.params
      const { title, timezone, language, pushes_enabled: pushes, quiet_hours: quietHours } = request.body
      await sessions.open(caller, key)
      if (quietHours && quietHours.start === quietHours.end) {
        throw badRequest('bad_quiet_hours', 'quiet_hours begin and end at the same time', 'Send null to have none.')
      }
      if (title !== undefined) await sessions.rename(caller, key, title)
      const session = await sessions.resolve(caller, { sessionKey: key, timezone, language })
      // Changed on purpose: that counts although the person said otherwise before.
      if (timezone !== undefined) await zones.set(session.sessionKey, { timezone, source: 'api' })
      const settings = await notifications.change(session.sessionKey, { pushes, quietHours })
      return success(showSettings(session, settings, await zones.read(session.sessionKey)))
    })
  }
}

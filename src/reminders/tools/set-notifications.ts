import { refuse } from '../../contracts/refusal'
import type { Refusal } from '../../contracts/refusal'
import { DateTime } from 'luxon'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { CLOCK_TIME } from '../notifications'
import type { NotificationChange, Notifications } from '../notifications'
import type { Tool, ToolContext } from '../../contracts/tool'
import { OFFERED_TO_USER } from '../../contracts/offered'
import type { TurnFence } from '../../engine/session-writes'
import { parseTimeExpression } from '../../time'

const Parameters = Type.Object(
  {
    pushes: Type.Optional(
      Type.Boolean({
        description: 'false: the person wants no more messages that programs push; true: they do again.',
      }),
    ),
    quiet_start: Type.Optional(
      Type.String({ description: 'Begin of the daily quiet hours in the words of the person ("22:00", "晚上十点").' }),
    ),
    quiet_end: Type.Optional(Type.String({ description: 'End of the quiet hours ("7am", "早上七点").' })),
    quiet_hours_off: Type.Optional(Type.Boolean({ description: 'true: no more quiet hours.' })),
  },
  { additionalProperties: false },
)

export interface NotificationSettings {
  read(sessionKey: string): Promise<Notifications>
  change(sessionKey: string, change: NotificationChange, turn?: TurnFence): Promise<Notifications>
}

/** A person says what they want to hear, and when; what they set for themselves is kept, at the end of quiet hours. */
export function createSetNotifications(settings: NotificationSettings): Tool {
  return {
    name: 'set_notifications',
    description:
      'Turns pushed messages off or on for this conversation ("stop pushes", "停止推送"), or sets daily quiet hours in which pushes and reminders wait until they end ("别在晚上打扰我"). With no arguments it answers how it is set. It cancels no reminder.',
    parameters: Parameters,
    subject: () => ({ kind: 'notifications' }),
    ...OFFERED_TO_USER,
    async execute(args, context) {
      const change = readChange(args, context)
      if ('ok' in change) return change
      const { session, turnId, fence } = context
      const asked = change.pushes === undefined && change.quietHours === undefined
      const now = asked
        ? await settings.read(session.sessionKey)
        : await settings.change(session.sessionKey, change, { turnId, fence })
      const quiet = now.quietHours
      return {
        ok: true,
        ...(asked ? {} : { effects: [{ did: 'changed', kind: 'notifications', id: null }] }),
        data: {
          pushes: now.pushes,
          quiet_hours: quiet ? { ...quiet, timezone: session.timezone } : null,
        },
      }
    },
  }
}

function readChange(args: Static<typeof Parameters>, context: ToolContext): NotificationChange | Refusal {
  const change: NotificationChange = args.pushes === undefined ? {} : { pushes: args.pushes }
  if (args.quiet_hours_off) return { ...change, quietHours: null }
  const { quiet_start: start, quiet_end: end } = args
  if (start === undefined && end === undefined) return change
  if (start === undefined || end === undefined) return refuse('incomplete', 'Ask for both the begin and the end.')
  const [from, to] = [readClock(start, context), readClock(end, context)]
  if (from === undefined || to === undefined) {
    return refuse('invalid_time', 'Give times of day such as 22:00, "10pm" or "晚上十点".')
  }
  if (from === to) return refuse('invalid_time', 'The quiet hours must begin and end at different times.')
  return { ...change, quietHours: { start: from, end: to } }
}

/** A time of day, by the clock or in words. */
function readClock(text: string, { now, session }: ToolContext): string | undefined {
  const plain = text.trim().padStart(5, '0')
  if (CLOCK_TIME.test(plain)) return plain
  const reading = parseTimeExpression({ text, now, zone: session.timezone })
  if (!reading.ok) return undefined
  return DateTime.fromJSDate(reading.instant, { zone: session.timezone }).toFormat('HH:mm')
}

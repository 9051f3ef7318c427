import { DateTime } from 'luxon'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { say } from '../../contracts/language'
import { OFFERED_TO_USER } from '../../contracts/offered'
import { refuse } from '../../contracts/refusal'
import type { Effect } from '../../contracts/effect'
import type { Tool, ToolContext } from '../../contracts/tool'
import type { JsonObject } from '../../contracts/words'
import { readZone } from '../../time'
import { PENDING_LIMIT_PER_SESSION } from '../contract'
import type { ScheduledMessage } from '../contract'
import type { ScheduledMessages } from '../scheduled-messages'
import type { ZoneStore } from '../zone-store'
import { describeScheduled } from './describe-scheduled'
import { changedEffects } from './scheduled-effects'

const Parameters = Type.Object(
  {
    zone: Type.String({ description: 'Where the person is: an IANA name, a city, or an offset such as "UTC+9".' }),
    move_pending: Type.Optional(
      Type.Boolean({
        description:
          'true, once the person has agreed: what is pending for a clock time comes at the same clock time in the new zone.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** A person says where they are; what is pending by the clock is offered to move along. */
export function createSetTimeZone({ zones, scheduled }: { zones: ZoneStore; scheduled: ScheduledMessages }): Tool {
  return {
    name: 'set_time_zone',
    description:
      'Sets the time zone of the person in this chat ("I am in London", "我在东京", "my time zone is UTC+9"). When reminders are pending for a clock time, ask the person whether they shall move along, and call it again with move_pending if so.',
    parameters: Parameters,
    subject: () => ({ kind: 'time_zone' }),
    ...OFFERED_TO_USER,
    async execute(args, context) {
      const { zone: said, move_pending: move = false } = args as Static<typeof Parameters>
      const { session, turnId, fence, language } = context
      const timezone = readZone(said)
      if (timezone === undefined) {
        const text = say(language, {
          zh: `不知道“${said.slice(0, 50)}”是哪个时区。你在哪个城市？`,
          en: `I do not know the time zone "${said.slice(0, 50)}". In which city are you?`,
        })
        return {
          ...refuse('unknown_zone', 'Ask for a city or an IANA name such as Europe/London.'),
          question: { text },
        }
      }
      const turn = { turnId, fence }
      const pending = (await listByClock(scheduled, context)).filter((message) => message.timezone !== timezone)
      await zones.set(session.sessionKey, { timezone, source: 'said' }, turn)
      const there = { ...context, session: { ...session, timezone } }
      const moved = move ? await moveAll(scheduled, pending, there) : []
      const local = DateTime.fromJSDate(context.now, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm')
      const offer: JsonObject = move || pending.length === 0 ? {} : offerOf(pending, there)
      return {
        ok: true,
        effects: [{ did: 'changed', kind: 'time_zone', id: null, summary: timezone }, ...moved],
        data: { timezone, local_time: local, moved: moved.filter(({ did }) => did === 'changed').length, ...offer },
      }
    },
  }
}

function offerOf(pending: ScheduledMessage[], context: ToolContext) {
  return {
    pending_by_clock: pending.map((message) => describeScheduled(message, context)),
    hint: 'These keep their instant. Ask whether they shall come at the same clock time in the new zone; if so, move_pending.',
  }
}

async function listByClock(scheduled: ScheduledMessages, { session }: ToolContext): Promise<ScheduledMessage[]> {
  const { sessionKey } = session
  const filter = { bots: 'all', sessionKey, status: 'pending', sourceKind: 'scheduled_send' } as const
  const found = await scheduled.list({ ...filter, limit: PENDING_LIMIT_PER_SESSION })
  return found.filter(({ byClock, status }) => byClock && status === 'pending')
}

/** The same clock time in the zone of the session; one whose time has passed there stays. */
async function moveAll(
  scheduled: ScheduledMessages,
  pending: ScheduledMessage[],
  context: ToolContext,
): Promise<Effect[]> {
  const { session, language, toolCallId, turnId, fence } = context
  const effects: Effect[] = []
  for (const message of pending) {
    const wall = DateTime.fromJSDate(message.deferredFrom ?? message.sendAt, { zone: message.timezone })
    const sendAt = wall.setZone(session.timezone, { keepLocalTime: true }).toISO() ?? ''
    const turn = { turnId, fence }
    const outcome = await scheduled.change(session, message, { sendAt, language, toolCallId, turn })
    if (outcome.ok) effects.push(...changedEffects(outcome))
  }
  return effects
}

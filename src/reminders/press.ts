import { languageOfPerson, say } from '../contracts/language'
import type { Session } from '../conversation/session'
import type { TurnFence } from '../engine/session-writes'
import type { PlannerOutcome } from '../planner/planner-loop'
import { describeTime } from '../time'
import { readAction } from './actions'
import type { FollowUpResult } from './follow-up'
import type { ScheduledMessages } from './scheduled-messages'
import { scheduledEffect } from './tools/scheduled-effects'

/** What a button does, as a turn of its session that needs no model; undefined when it is none of a reminder. */
export type PressAction = (
  pressed: string,
) => ((session: Session, turn: TurnFence) => Promise<PlannerOutcome>) | undefined

export function createPressAction({
  scheduledMessages,
  clock,
}: {
  scheduledMessages: ScheduledMessages
  clock: { now(): Promise<Date> }
}): PressAction {
  return (pressed) => {
    const read = readAction(pressed)
    if (!read) return undefined
    const { action, id } = read
    return async (session, turn) => {
      const found = await scheduledMessages.find(id)
      const language = languageOfPerson(session, { words: found?.messageText ?? '' })
      const result =
        action.kind === 'done'
          ? await scheduledMessages.acknowledge(session, { id, turn })
          : await scheduledMessages.snooze(session, { id, until: action.until, language, turn })
      return answer(session, result, { language, now: await clock.now() })
    }
  }
}

const NOTHING = { type: 'text' as const, payload: null, toolCalls: [] }

function answer(
  session: Session,
  result: FollowUpResult,
  { language, now }: { language: 'zh' | 'en'; now: Date },
): PlannerOutcome {
  if (!result.ok) {
    const reason = result.code
    const effects = [
      { did: 'refused' as const, kind: 'scheduled_message' as const, id: result.message?.id ?? null, reason },
    ]
    return { status: 'answered', content: LOST[reason]?.[language] ?? LOST['not_sent']![language], ...NOTHING, effects }
  }
  if (!result.next) {
    const effects = [scheduledEffect('acknowledged', result.message)]
    return {
      status: 'answered',
      content: say(language, { zh: '好的，已完成。', en: 'OK, done.' }),
      ...NOTHING,
      effects,
    }
  }
  const { local, phrase } = describeTime(result.next.sendAt, now, session.timezone, language)
  const clock = local.slice(0, 16).replace('T', ' ')
  const content = say(language, {
    zh: `好的，${phrase}（${clock}）再提醒你。`,
    en: `OK, I will remind you again ${phrase} (${clock}).`,
  })
  const effect = { ...scheduledEffect('snoozed', result.message), due_at: result.next.sendAt.toISOString() }
  return { status: 'answered', content, ...NOTHING, effects: [effect] }
}

const LOST: Record<string, Record<'zh' | 'en', string>> = {
  already_acknowledged: { zh: '这条提醒已经完成了。', en: 'This reminder was marked as done already.' },
  already_snoozed: { zh: '这条提醒已经推迟过了。', en: 'This reminder was put off already.' },
  too_many_pending: {
    zh: '等待中的提醒太多了，请先取消一些。',
    en: 'Too many reminders are waiting; cancel some first.',
  },
  not_sent: { zh: '这条提醒现在不能这样做。', en: 'This cannot be done with this reminder now.' },
}

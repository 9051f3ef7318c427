import { refuse } from '../contracts/refusal'
import type { Refusal } from '../contracts/refusal'
import type { Language } from '../contracts/words'
import type { Session } from '../conversation/session'
import type { OutboxDispatcher } from '../engine/outbox-dispatcher'
import type { TurnFence } from '../engine/session-writes'
import { AppError } from '../errors'
import type { TimeRefusalCode } from '../time/parse-time-expression'
import { SNOOZE_WORDS } from './contract'
import type { ScheduledMessage } from './contract'
import { readTime } from './read-time'
import type { ScheduledMessageStore } from './sql'
import type { FollowUpOutcome } from './sql/follow-up'

export interface SnoozeWish {
  id: string
  /** Until when, in the words of the person; ten minutes unless they say. */
  until?: string
  language: Language
  toolCallId?: string
  turn?: TurnFence
}

export type FollowUpRefusalCode =
  'not_sent' | 'already_snoozed' | 'already_acknowledged' | 'invalid_time' | 'too_many_pending' | 'not_found'

/** `next` is what a snoozed one was put off to. */
export type FollowUpResult =
  | { ok: true; message: ScheduledMessage; next: ScheduledMessage | null }
  | (Refusal<FollowUpRefusalCode> & { message?: ScheduledMessage; detail?: TimeRefusalCode })

/** What a person does with a reminder that was sent; one conditional update decides between all of them. */
export function createFollowUp({
  store,
  dispatcher,
  clock,
}: {
  store: ScheduledMessageStore
  dispatcher: OutboxDispatcher
  clock: { now(): Promise<Date> }
}) {
  function answer(outcome: FollowUpOutcome): FollowUpResult {
    if (outcome.state === 'lost') return whyLost(outcome.message)
    dispatcher.kick()
    return { ok: true, message: outcome.message, next: outcome.next }
  }

  return {
    async snooze(session: Session, wish: SnoozeWish): Promise<FollowUpResult> {
      const text = wish.until?.trim() || SNOOZE_WORDS[wish.language]
      const when = readTime({ text, now: await clock.now(), zone: session.timezone })
      if (!when.ok) return when
      const { id, toolCallId, turn } = wish
      try {
        return answer(await store.snooze({ sessionKey: session.sessionKey, id, until: when.sendAt, toolCallId, turn }))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'too_many_pending') throw error
        return refuse('too_many_pending', 'Too many messages are pending in this chat; cancel some.')
      }
    },

    async acknowledge(session: Session, by: { id: string; turn?: TurnFence }): Promise<FollowUpResult> {
      return answer(await store.acknowledge({ sessionKey: session.sessionKey, ...by }))
    },
  }
}

/** Who lost the race hears how it stands. */
function whyLost(message: ScheduledMessage | null): FollowUpResult {
  if (!message) return refuse('not_found', 'There is no such reminder in this chat.')
  if (message.followUp === 'acknowledged')
    return { ...refuse('already_acknowledged', 'It was marked as done already.'), message }
  if (message.followUp === 'snoozed') {
    return { ...refuse('already_snoozed', 'It was put off already; change or cancel the one that comes.'), message }
  }
  const hint = 'It was not sent yet, or was cancelled: change or cancel it instead.'
  return { ...refuse('not_sent', hint), message }
}

import { DateTime } from 'luxon'
import { v7 as uuidv7 } from 'uuid'
import { FARTHEST_YEARS, PENDING_LIMIT_PER_SESSION, TEXT_LIMITS } from '../contracts/scheduled-message'
import type { CancelReason, ScheduledMessage, ScheduledSourceKind } from '../contracts/scheduled-message'
import type { Session } from '../contracts/session'
import type { Language } from '../contracts/words'
import { AppError } from '../errors'
import type { ScheduledMessageStore } from '../store/scheduled-messages'
import type { TurnFence } from '../store/session-writes'
import { describeTime } from '../time/describe-time'
import { parseTimeExpression } from '../time/parse-time-expression'
import type { OutboxDispatcher } from './outbox-dispatcher'

export interface ScheduleRequest {
  /** Given when something else already points at the message to come. */
  id?: string
  sendAt: string
  messageText: string
  replaceExisting: boolean
  language: Language
  /** Goes through quiet hours. */
  urgent?: boolean
  toolCallId?: string
  turn?: TurnFence
}

export type ScheduleFailureReason =
  'not_private' | 'invalid_time' | 'empty_text' | 'text_too_long' | 'too_many_pending' | 'storage_failed'

export type ScheduleOutcome =
  | { ok: true; message: ScheduledMessage; cancelledIds: string[]; local: string; phrase: string; note?: string }
  | { ok: false; reason: ScheduleFailureReason; hint: string; detail?: string }

export interface ScheduledMessages {
  schedule(session: Session, request: ScheduleRequest): Promise<ScheduleOutcome>
  /** Answers what was really cancelled; the loser of a race finds its message missing in the list. */
  cancel(
    sessionKey: string,
    by: { id?: string; reason: CancelReason; sourceKind?: ScheduledSourceKind; toolCallId?: string; turn?: TurnFence },
  ): Promise<ScheduledMessage[]>
  list: ScheduledMessageStore['list']
  find: ScheduledMessageStore['find']
}

interface ServiceParts {
  store: ScheduledMessageStore
  dispatcher: OutboxDispatcher
  clock: { now(): Promise<Date> }
  crashPoint(name: string): void
}

/** Scheduling and cancelling, for tools and API alike: one PostgreSQL transaction, then Temporal is told in the background. */
export function createScheduledMessages({ store, dispatcher, clock, crashPoint }: ServiceParts): ScheduledMessages {
  async function schedule(session: Session, request: ScheduleRequest): Promise<ScheduleOutcome> {
    const refusal = refuseText(session, request)
    if (refusal) return refusal
    const now = await clock.now()
    const when = readTime(session, request, now)
    if (!when.ok) return when
    const created = await store.create({
      id: request.id ?? uuidv7(),
      sessionKey: session.sessionKey,
      messageText: request.messageText,
      sendAt: when.sendAt,
      timezone: session.timezone,
      replaceExisting: request.replaceExisting,
      toolCallId: request.toolCallId ?? null,
      urgent: request.urgent,
      turn: request.turn,
    })
    if (created.state === 'too_many_pending') return tooManyPending()
    crashPoint('outbox_written')
    dispatcher.kick()
    const { local, phrase } = describeTime(when.sendAt, now, session.timezone, request.language)
    const note = [when.note, created.quietUntil && noteQuiet(session, request, now, created.quietUntil)].filter(Boolean)
    const outcome = { ok: true as const, message: created.message, cancelledIds: created.cancelledIds, local, phrase }
    return note.length === 0 ? outcome : { ...outcome, note: note.join(' ') }
  }

  return {
    async schedule(session, request) {
      try {
        return await schedule(session, request)
      } catch (error) {
        if (error instanceof AppError) throw error
        return {
          ok: false,
          reason: 'storage_failed',
          hint: 'Nothing was scheduled. Say so, and that they may try again in a moment.',
        }
      }
    },

    async cancel(sessionKey, by) {
      const cancelled = await store.cancel({ sessionKey, ...by })
      if (cancelled.length > 0) dispatcher.kick()
      return cancelled
    },

    list: store.list,
    find: store.find,
  }
}

/** Said when it is promised, not when it does not come. */
function noteQuiet({ timezone }: Session, { language }: ScheduleRequest, now: Date, until: Date): string {
  const { local } = describeTime(until, now, timezone, language)
  return language === 'zh'
    ? `这个时间在免打扰时段内，会在时段结束时（${local}）送达。`
    : `This falls into the quiet hours and will come when they end, at ${local}.`
}

function refuseText(session: Session, { messageText }: ScheduleRequest): ScheduleOutcome | undefined {
  if (session.launcherType !== 'person') {
    return { ok: false, reason: 'not_private', hint: 'Messages can be scheduled in private chats only, not in groups.' }
  }
  if (messageText.trim() === '') {
    return { ok: false, reason: 'empty_text', hint: 'Write the text that shall be sent into message_text.' }
  }
  const limit = TEXT_LIMITS[session.channel]
  if ([...messageText].length <= limit) return undefined
  return {
    ok: false,
    reason: 'text_too_long',
    hint: `At most ${limit} characters go into one message here; shorten it.`,
  }
}

type WhenOutcome = { ok: true; sendAt: Date; note?: string } | Extract<ScheduleOutcome, { ok: false }>

function readTime(session: Session, request: ScheduleRequest, now: Date): WhenOutcome {
  const refuse = (hint: string, detail: string) => ({
    ok: false as const,
    reason: 'invalid_time' as const,
    hint,
    detail,
  })
  const reading = parseTimeExpression({ text: request.sendAt, now, zone: session.timezone })
  if (!reading.ok) return refuse(reading.hint, reading.code)
  if (reading.instant < now) return refuse('This time has passed; ask for a later one.', 'past')
  if (reading.instant > DateTime.fromJSDate(now).plus({ years: FARTHEST_YEARS }).toJSDate()) {
    return refuse('At most one year ahead; ask for a nearer time.', 'too_far')
  }
  return { ok: true, sendAt: reading.instant, note: reading.note }
}

function tooManyPending(): ScheduleOutcome {
  return {
    ok: false,
    reason: 'too_many_pending',
    hint: `${PENDING_LIMIT_PER_SESSION} messages are pending in this chat; cancel some or use replace_existing.`,
  }
}

import { say } from '../contracts/language'
import { refuse } from '../contracts/refusal'
import type { Refusal } from '../contracts/refusal'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { PENDING_LIMIT_PER_SESSION, REPEAT_SECONDS, TEXT_LIMIT } from './contract'
import type { CancelReason, ScheduledMessage, ScheduledSourceKind } from './contract'
import type { Session } from '../conversation/session'
import type { Language } from '../contracts/words'
import { AppError, errorCode } from '../errors'
import type { ScheduledMessageStore } from './sql'
import type { CreateOutcome, NewScheduledMessage } from './sql/create'
import type { TurnFence } from '../engine/session-writes'
import { createFollowUp } from './follow-up'
import type { FollowUpResult, SnoozeWish } from './follow-up'
import { readNewTime, readTime } from './read-time'
import { describeTime } from '../time'
import type { TimeRefusalCode } from '../time/parse-time-expression'
import type { OutboxDispatcher } from '../engine/outbox-dispatcher'

export interface ScheduleRequest {
  /** Given when something else already points at the message to come. */
  id?: string
  sendAt: string
  messageText: string
  replaceExisting: boolean
  language: Language
  /** Goes through quiet hours. */
  urgent?: boolean
  /** Said again until the person says that it is done. */
  untilDone?: boolean
  toolCallId?: string
  turn?: TurnFence
  /** Takes the place of this one, if it is still pending. */
  replaces?: ScheduledMessage
}

/** A new time, a new text or both for a message that is pending; what is left out stays as it was. */
export interface ChangeRequest extends Pick<ScheduleRequest, 'language' | 'toolCallId' | 'turn'> {
  sendAt?: string
  messageText?: string
  urgent?: boolean
}

export type ScheduleRefusalCode =
  | 'too_late'
  | 'nothing_to_change'
  | 'not_private'
  | 'invalid_time'
  | 'invalid_text'
  | 'empty_text'
  | 'text_too_long'
  | 'too_many_pending'
  | 'storage_failed'

export type ScheduleOutcome =
  | { ok: true; message: ScheduledMessage; cancelledIds: string[]; local: string; phrase: string; note?: string }
  | (Refusal<ScheduleRefusalCode> & { detail?: TimeRefusalCode })

/** A promise as the tool and the route tell it. */
export function tellScheduled({ message, cancelledIds, local, phrase, note }: Extract<ScheduleOutcome, { ok: true }>) {
  return {
    task_id: message.id,
    session_id: message.sessionId,
    send_at: local,
    timezone: message.timezone,
    phrase,
    message_text: message.messageText,
    replace_existing: message.replaceExisting,
    cancelled_task_ids: cancelledIds,
    ...(message.repeatSeconds === null ? {} : { until_done: true }),
    ...(note === undefined ? {} : { note }),
  }
}

export interface ScheduledMessages {
  schedule(session: Session, request: ScheduleRequest): Promise<ScheduleOutcome>
  /** Cancels the message and makes another in its place, in one transaction; `cancelledIds` names the old one. */
  change(session: Session, old: ScheduledMessage, request: ChangeRequest): Promise<ScheduleOutcome>
  /** Puts off a reminder that was sent: the same words come again then. */
  snooze(session: Session, request: SnoozeWish): Promise<FollowUpResult>
  /** It is done: what would say it again ends, and what it was put off to does not come. */
  acknowledge(session: Session, request: { id: string; turn?: TurnFence }): Promise<FollowUpResult>
  /** The reminder that a person means who names none: the one that their message answers, else the last that was sent. */
  findLastSent: ScheduledMessageStore['findLastSent']
  /** Answers what was really cancelled; the loser of a race finds its message missing in the list. */
  cancel(
    sessionKey: string,
    by: { id?: string; reason: CancelReason; sourceKind?: ScheduledSourceKind; toolCallId?: string; turn?: TurnFence },
  ): Promise<ScheduledMessage[]>
  list: ScheduledMessageStore['list']
  find: ScheduledMessageStore['find']
}

/** The storage went away while it was asked, and has not come back. */
class InDoubt extends Error {}

const NOT_STORED = 'Nothing was scheduled. Say so, and that they may try again in a moment.'
const TOO_LATE = 'It was too late: it has been sent, is being sent, or was cancelled. Nothing was changed.'
/** The time of the one that is replaced. */
const SAME_TIME = ''
const IN_DOUBT =
  'It is not known whether it was scheduled. Say so; look at the list in a moment before it is scheduled again.'

interface ServiceParts {
  store: ScheduledMessageStore
  logger: Logger
  dispatcher: OutboxDispatcher
  clock: { now(): Promise<Date> }
  crashPoint(name: string): void
  /** Whether the person is to be asked now where they are: once, while the zone is only the default. */
  askZone(sessionKey: string): Promise<boolean>
}

/** Scheduling and cancelling, for tools and API alike: one PostgreSQL transaction, then Temporal is told in the background. */
export function createScheduledMessages({
  store,
  dispatcher,
  clock,
  crashPoint,
  logger,
  askZone,
}: ServiceParts): ScheduledMessages {
  async function schedule(session: Session, request: ScheduleRequest): Promise<ScheduleOutcome> {
    const refusal = refuseText(session, request)
    if (refusal) return refusal
    const now = await clock.now()
    const when = readWhen(session, request, now)
    if (!when.ok) return when
    const created = await create({
      id: request.id ?? uuidv7(),
      sessionKey: session.sessionKey,
      messageText: request.messageText,
      sendAt: when.sendAt,
      timezone: session.timezone,
      replaceExisting: request.replaceExisting,
      toolCallId: request.toolCallId ?? null,
      urgent: request.urgent,
      replaces: request.replaces?.id,
      byClock: when.byClock,
      repeatSeconds: request.untilDone ? REPEAT_SECONDS : null,
      turn: request.turn,
    })
    if (created.state === 'too_many_pending') return tooManyPending()
    if (created.state === 'too_late') return refuse('too_late', TOO_LATE)
    crashPoint('outbox_written')
    dispatcher.kick()
    const { message, cancelledIds } = created
    const { local, phrase } = describeTime(message.sendAt, now, session.timezone, request.language)
    const isUnsure = when.byClock && (await askZone(session.sessionKey))
    const note = [
      when.note,
      isUnsure && noteZone(request, session.timezone),
      message.deferredFrom && noteQuiet(request, local),
    ].filter(Boolean)
    const outcome = { ok: true as const, message, cancelledIds, local, phrase }
    return note.length === 0 ? outcome : { ...outcome, note: note.join(' ') }
  }

  /** A commit whose answer was lost is looked for before anybody is told that nothing was stored. */
  async function create(input: NewScheduledMessage): Promise<CreateOutcome> {
    try {
      return await store.create(input)
    } catch (error) {
      if (error instanceof AppError) throw error
      logger.error({ code: errorCode(error), id: input.id }, 'a promise could not be stored, or its answer was lost')
      const found = await store.findCreated(input).catch(() => {
        throw new InDoubt()
      })
      if (!found) throw error
      return found
    }
  }

  const followUp = createFollowUp({ store, dispatcher, clock })

  async function scheduleOrSay(session: Session, request: ScheduleRequest): Promise<ScheduleOutcome> {
    try {
      return await schedule(session, request)
    } catch (error) {
      if (error instanceof AppError) throw error
      logger.error({ code: errorCode(error) }, 'a promise was not stored')
      const hint = error instanceof InDoubt ? IN_DOUBT : NOT_STORED
      return refuse('storage_failed', hint)
    }
  }

  return {
    schedule: scheduleOrSay,

    async change(session, old, { sendAt, messageText = old.messageText, urgent = old.urgent, ...by }) {
      if (sendAt === undefined && messageText === old.messageText && urgent === old.urgent) {
        return refuse('nothing_to_change', 'Give another time, another text or both.')
      }
      const untilDone = old.repeatSeconds !== null
      const request = {
        ...by,
        sendAt: sendAt ?? SAME_TIME,
        messageText,
        urgent,
        untilDone,
        replaceExisting: false,
        replaces: old,
      }
      return scheduleOrSay(session, request)
    },

    snooze: (session, wish) => followUp.snooze(session, wish),
    acknowledge: (session, wish) => followUp.acknowledge(session, wish),
    findLastSent: store.findLastSent,

    async cancel(sessionKey, by) {
      const cancelled = await store.cancel({ sessionKey, ...by })
      if (cancelled.length > 0) dispatcher.kick()
      return cancelled
    },

    list: store.list,
    find: store.find,
  }
}

/** Asked once, while nobody has said where the person is. */
function noteZone({ language }: ScheduleRequest, zone: string): string {
  return say(language, {
    zh: `这里按默认时区 ${zone} 计算。你在这个时区吗？不在的话请告诉我你在哪个城市。`,
    en: `This is in the default time zone ${zone}. Are you there? If not, tell me in which city you are.`,
  })
}

/** Said when it is promised, not when it does not come. */
function noteQuiet({ language }: ScheduleRequest, local: string): string {
  return say(language, {
    zh: `这个时间在免打扰时段内，会在时段结束时（${local}）送达。`,
    en: `This falls into the quiet hours and will come when they end, at ${local}.`,
  })
}

/** Nothing that a person could see. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u

function refuseText(session: Session, { messageText }: ScheduleRequest): ScheduleOutcome | undefined {
  if (session.launcherType !== 'person') {
    return refuse('not_private', 'Messages can be scheduled in private chats only, not in groups.')
  }
  if (messageText.includes('\0') || !messageText.isWellFormed()) {
    const hint = 'message_text holds a NUL or half a character, which cannot be kept word for word; leave it out.'
    return refuse('invalid_text', hint)
  }
  if (INVISIBLE.test(messageText)) {
    return refuse('empty_text', 'Write the text that shall be sent into message_text.')
  }
  if ([...messageText].length <= TEXT_LIMIT) return undefined
  return refuse('text_too_long', `At most ${TEXT_LIMIT} characters go into one message; shorten it.`)
}

function readWhen({ timezone: zone }: Session, { sendAt: text, replaces: old }: ScheduleRequest, now: Date) {
  if (!old) return readTime({ text, now, zone })
  if (text === SAME_TIME) {
    return { ok: true as const, sendAt: old.deferredFrom ?? old.sendAt, byClock: old.byClock, note: undefined }
  }
  return readNewTime({ text, now, zone, old: old.deferredFrom ?? old.sendAt })
}

function tooManyPending(): ScheduleOutcome {
  const hint = `${PENDING_LIMIT_PER_SESSION} messages are pending in this chat; cancel some or use replace_existing.`
  return refuse('too_many_pending', hint)
}

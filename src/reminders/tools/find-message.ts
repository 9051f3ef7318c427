import { Type } from 'typebox'
import { DateTime } from 'luxon'
import { summaryOf } from '../../contracts/effect'
import { refuse } from '../../contracts/refusal'
import type { ToolContext, ToolResult } from '../../contracts/tool'
import { PENDING_LIMIT_PER_SESSION } from '../contract'
import type { ScheduledMessage } from '../contract'
import { askWhichReminder } from '../questions'
import type { ReminderVerb } from '../questions'
import type { ScheduledMessages } from '../scheduled-messages'
import { describeScheduled } from './describe-scheduled'

/** How a person points at one of the messages of a chat. */
export const POINTED = {
  task_id: Type.Optional(Type.String({ description: 'Its task_id, when a result before has named it ("that one").' })),
  position: Type.Optional(
    Type.Integer({ description: 'Its place in the list by time, from 1 ("the second one"); -1 is the last.' }),
  ),
  words: Type.Optional(
    Type.String({ description: 'Words of its text, as the person said them ("the one about tea").' }),
  ),
}

export interface Pointed {
  task_id?: string
  position?: number
  words?: string
}

export const isPointed = ({ task_id: id, position, words }: Pointed) =>
  id !== undefined || position !== undefined || words !== undefined

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const UNKNOWN_ID = refuse('not_found', 'No such task_id in this chat; use list_scheduled_private_messages.')

/** The one message that is meant, or what to say when there is none or it could be several. */
export async function findMessage(
  scheduled: ScheduledMessages,
  pointed: Pointed,
  verb: ReminderVerb,
  context: ToolContext,
): Promise<ScheduledMessage | Extract<ToolResult, { ok: false }>> {
  const { task_id: id } = pointed
  if (id !== undefined) {
    const known = UUID.test(id) ? await scheduled.find(id) : null
    return known?.sessionId === context.session.sessionKey ? known : UNKNOWN_ID
  }
  const pending = await listPending(scheduled, context)
  if (pending.length === 0) return refuse('nothing_pending', 'Nothing is scheduled in this chat.')
  const [meant, ...others] = pick(pending, pointed)
  if (meant && others.length === 0) return meant
  return whichOne(meant ? [meant, ...others] : pending, meant ? 'which_one' : 'not_found', { verb, context })
}

export function listPending(scheduled: ScheduledMessages, { session }: ToolContext): Promise<ScheduledMessage[]> {
  return scheduled.list({
    bots: 'all',
    sessionKey: session.sessionKey,
    status: 'pending',
    withRepeating: true,
    sourceKind: 'scheduled_send',
    limit: PENDING_LIMIT_PER_SESSION,
  })
}

function pick(pending: ScheduledMessage[], { position, words }: Pointed): ScheduledMessage[] {
  if (position !== undefined) {
    const at = position < 0 ? pending.length + position : position - 1
    return pending.slice(Math.max(at, 0), at + 1)
  }
  if (words === undefined) return pending
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return pending.filter(({ messageText }) => wanted.every((word) => messageText.toLowerCase().includes(word)))
}

/** Several are meant, or none: the person chooses. */
export function whichOne(
  found: ScheduledMessage[],
  code: 'which_one' | 'not_found',
  { verb, context }: { verb: ReminderVerb; context: ToolContext },
): Extract<ToolResult, { ok: false }> {
  const shown = found.map(({ sendAt, messageText }) => ({
    at: DateTime.fromJSDate(sendAt, { zone: context.session.timezone }).toFormat('yyyy-MM-dd HH:mm'),
    text: summaryOf(messageText),
  }))
  const hint =
    code === 'which_one'
      ? 'Several are meant: ask which one, then give its task_id.'
      : 'None is meant by this: ask which one of those that are pending.'
  return {
    ok: false,
    code,
    hint,
    data: { count: found.length, scheduled_messages: found.map((message) => describeScheduled(message, context)) },
    question: { text: askWhichReminder(shown, verb, context.language) },
  }
}

import { Type } from 'typebox'
import type { Static } from 'typebox'
import { PENDING_LIMIT_PER_SESSION } from '../contract'
import type { Tool } from '../../contracts/tool'
import { SCHEDULED_MESSAGE_STATUSES } from '../../contracts/words'
import type { ScheduledMessages } from '../scheduled-messages'
import { describeScheduled } from './describe-scheduled'
import { OFFERED_IN_PRIVATE } from '../../contracts/offered'

const Parameters = Type.Object(
  {
    status: Type.Optional(Type.Enum(SCHEDULED_MESSAGE_STATUSES, { description: 'Which ones; default pending.' })),
  },
  { additionalProperties: false },
)

/** What is promised in this chat, soonest first. */
export function createListScheduledPrivateMessages(scheduled: ScheduledMessages): Tool {
  return {
    name: 'list_scheduled_private_messages',
    description: 'Lists the scheduled messages of this private chat with their task_id, time and text.',
    parameters: Parameters,
    ...OFFERED_IN_PRIVATE,
    async execute(args, context) {
      const { status = 'pending' } = args as Static<typeof Parameters>
      const { sessionKey } = context.session
      const withRepeating = status === 'pending'
      const filter = { bots: 'all', sessionKey, status, withRepeating, sourceKind: 'scheduled_send' } as const
      const found = await scheduled.list({ ...filter, limit: PENDING_LIMIT_PER_SESSION })
      const messages = found.map((message) => describeScheduled(message, context))
      return { ok: true, data: { count: messages.length, scheduled_messages: messages } }
    },
  }
}

import type { Conversation } from '../conversation'
import type { Step } from '../intent'
import { say } from '../intent'

export const SCHEDULE = 'schedule_private_message'
export const CANCEL = 'cancel_scheduled_private_message'
export const LIST = 'list_scheduled_private_messages'

/** Said where the tools are not offered: in groups, or to a client that brought none. */
export function withoutTools(conversation: Conversation): Step {
  if (conversation.facts.isGroup) {
    return say(conversation, {
      zh: '提醒只在私聊里可用，群聊里不行。',
      en: 'Reminders work in private chats only, not in groups.',
    })
  }
  return say(conversation, { zh: '这里没有提醒功能可用。', en: 'There is no reminder tool here.' })
}

import type { Conversation } from '../conversation'
import type { Step } from '../intent'
import { say } from '../intent'

export const CRON = 'cron'

/** Said where the tool is not offered: inside an automation, or to a client that brought none. */
export function withoutCron(conversation: Conversation): Step {
  return say(conversation, {
    zh: '这里不能管理自动任务。',
    en: 'Automations cannot be managed here.',
  })
}

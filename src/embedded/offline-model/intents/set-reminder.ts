import type { Conversation } from '../conversation'
import type { Intent, Step } from '../intent'
import { call, say } from '../intent'
import { toMessageText } from '../reminders/message-text'
import { splitRequest } from '../reminders/split-request'
import type { ReminderRequest } from '../reminders/split-request'
import { takeTimeOut } from '../reminders/take-time-out'
import { SCHEDULE, withoutTools } from '../reminders/tools'

/** "明天早上9点提醒我开会", "remind me in 10 seconds to stretch". The time goes to the tool as it was said. */
export const setReminder: Intent = (conversation, tools) => {
  const request = splitRequest(conversation.text, conversation.language) ?? completedRequest(conversation)
  if (!request || conversation.results.length > 0) return undefined
  if (!tools.has(SCHEDULE)) return withoutTools(conversation)
  if (request.time === undefined) return askWhen(conversation, request.what)
  return call(SCHEDULE, {
    send_at: request.time,
    message_text: toMessageText(request.what, conversation.language),
    replace_existing: false,
  })
}

const WHEN_ASKED = /^(?:什么时候提醒你|When should I remind you|提醒没有设好：|The reminder was not set: )/

function askWhen(conversation: Conversation, what: string | undefined): Step {
  return say(conversation, {
    zh: `什么时候提醒你${what === undefined ? '' : `“${what}”`}？比如“10分钟后”或“明天早上9点”。`,
    en: `When should I remind you${what === undefined ? '' : ` of "${what}"`}? For example "in 10 minutes" or "tomorrow at 9am".`,
  })
}

/** A bare time after we asked for one belongs to the request before it. */
function completedRequest({ text, language, earlier }: Conversation): ReminderRequest | undefined {
  const asked = earlier.at(-1)
  const before = earlier.at(-2)
  if (asked?.role !== 'assistant' || before?.role !== 'user' || !WHEN_ASKED.test(asked.text)) return undefined
  const time = takeTimeOut(text, language)?.time
  const wish = splitRequest(before.text, language) ?? splitRequest(before.text, language === 'zh' ? 'en' : 'zh')
  return time === undefined || !wish ? undefined : { time, what: wish.what }
}

import type { Conversation } from '../conversation'
import type { Intent, Step } from '../intent'
import { call, say } from '../intent'
import { readCancelWish } from '../reminders/cancel-wish'
import type { CancelWish } from '../reminders/cancel-wish'
import { choose, listedPending } from '../reminders/pending'
import type { Pending } from '../reminders/pending'
import { askWhich, phraseList } from '../reminders/phrase-reminders'
import { CANCEL, LIST, withoutTools } from '../reminders/tools'

/** "取消提醒", "取消第2个提醒", "cancel all my reminders". One that is pointed at is looked up in the list first. */
export const cancelReminder: Intent = (conversation, tools) => {
  const wish = readCancelWish(conversation)
  if (!wish) return undefined
  if (!tools.has(CANCEL)) return withoutTools(conversation)
  const { results } = conversation
  if (results.length === 0) return firstStep(wish, tools)
  const pending = results.at(-1)?.name === LIST ? listedPending(results) : undefined
  return pending && pickAndCancel(pending, wish, conversation)
}

function firstStep(wish: CancelWish, tools: ReadonlySet<string>): Step {
  if (wish.all) return call(CANCEL, { all: true })
  const isPointed = wish.selector.kind !== 'unsaid' || wish.lastSet
  return isPointed && tools.has(LIST) ? call(LIST) : call(CANCEL)
}

function pickAndCancel(pending: Pending[], wish: CancelWish, conversation: Conversation): Step {
  const { language } = conversation
  const [meant, ...others] = choose(pending, wish.selector, conversation)
  if (meant && others.length === 0) return call(CANCEL, { task_id: meant.taskId })
  if (meant) return { text: askWhich([meant, ...others], 'cancel', language) }
  if (pending.length === 0) return { text: phraseList(pending, language) }
  const list = phraseList(pending, language)
  return say(conversation, { zh: `没有找到这条提醒。${list}`, en: `I found no such reminder. ${list}` })
}

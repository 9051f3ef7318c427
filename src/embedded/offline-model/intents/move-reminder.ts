import type { Conversation } from '../conversation'
import type { Intent, Step } from '../intent'
import { call, say } from '../intent'
import { readMoveWish } from '../reminders/move-wish'
import type { MoveWish } from '../reminders/move-wish'
import { choose, listedPending } from '../reminders/pending'
import type { Pending } from '../reminders/pending'
import { askWhich, phraseList, phraseMoved } from '../reminders/phrase-reminders'
import { onTheSameDay } from '../reminders/same-day'
import { CANCEL, LIST, SCHEDULE, withoutTools } from '../reminders/tools'

/**
 * "改到10点", "move it to 10am": list → set anew with the same words → cancel the old one, in this order, so that a time
 * that cannot be used costs nothing. The only pending one is replaced in one step.
 */
export const moveReminder: Intent = (conversation, tools) => {
  const wish = readMoveWish(conversation)
  if (!wish) return undefined
  if (![SCHEDULE, CANCEL, LIST].every((name) => tools.has(name))) return withoutTools(conversation)
  if (wish.time === undefined) return askTime(conversation)
  if (conversation.results.length === 0) return call(LIST)
  const pending = listedPending(conversation.results)
  return pending && moveOne(pending, wish.time, wish, conversation)
}

function moveOne(pending: Pending[], time: string, wish: MoveWish, conversation: Conversation): Step | undefined {
  const { language } = conversation
  const [meant, ...others] = choose(pending, wish.selector, conversation)
  if (!meant) return { text: phraseList(pending, language) }
  if (others.length > 0) return { text: askWhich(pending, 'move', language) }
  const isOnly = pending.length === 1
  const tries = conversation.results.filter(({ name }) => name === SCHEDULE)
  if (tries.some(({ result }) => result['success'] === true)) return isOnly ? undefined : cancelOld(meant, conversation)
  const next = [onTheSameDay(time, meant.sendAt, language), time].filter((text) => text !== undefined)[tries.length]
  if (next === undefined) return undefined
  return call(SCHEDULE, { send_at: next, message_text: meant.messageText, replace_existing: isOnly })
}

/** Once; then the new time is said, which is the last result but one. */
function cancelOld(old: Pending, conversation: Conversation): Step | undefined {
  const { results, language } = conversation
  if (!results.some(({ name }) => name === CANCEL)) return call(CANCEL, { task_id: old.taskId })
  const set = results.findLast(({ name }) => name === SCHEDULE)
  return set && { text: phraseMoved(set.result, results.at(-1)?.result ?? {}, language) }
}

function askTime(conversation: Conversation): Step {
  return say(conversation, {
    zh: '改到什么时候？请说新的时间，比如“改到10点”。',
    en: 'To what time? Say the new one, for example "move it to 10am".',
  })
}

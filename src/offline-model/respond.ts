import { addAutomation } from './automations/add-automation'
import { answerDueAutomation, dueInstruction } from './automations/due-automation'
import { listAutomations, removeAutomation } from './automations/manage-automations'
import type { Conversation, Intent, Step } from './conversation'
import { doModelJob } from './model-jobs'
import { setNotifications } from './notifications'
import { phraseResults } from './phrase-results'
import { manageRuns } from './plugins/manage-runs'
import { usePlugins } from './plugins/use-plugins'
import { answerReminder } from './reminders/answer-reminder'
import { cancelReminder } from './reminders/cancel-reminder'
import { listReminders } from './reminders/list-reminders'
import { moveReminder } from './reminders/move-reminder'
import { setReminder } from './reminders/set-reminder'
import { sayNotUnderstood, SMALL_TALK } from './small-talk'
import { setTimeZone } from './time-zone'
import { followReminder } from './tasks/follow-reminder'
import { manageTasks, tasksOnly } from './tasks/manage-tasks'

/** What a sentence wants done; asked first and in this order, for "你好，5秒后提醒我喝水" is no greeting. */
const ACTING: readonly Intent[] = [
  tasksOnly,
  answerReminder,
  setTimeZone,
  setNotifications,
  removeAutomation,
  listAutomations,
  addAutomation,
  manageRuns,
  usePlugins,
  followReminder,
  manageTasks,
  cancelReminder,
  moveReminder,
  setReminder,
  listReminders,
]

/** Longer than anything the rules are made for; they are not even asked. */
const LONGEST_TEXT = 2_000

/**
 * What comes first of: a job of the product's own, if it is no chat; what is to be done; what was done, in words; some
 * talk; that it was not understood.
 */
export function respond(conversation: Conversation, tools: ReadonlySet<string>): Step {
  const job = doModelJob(conversation)
  if (job !== undefined) return { text: job }
  const due = dueInstruction(conversation.text)
  if (due !== undefined) return answerDueAutomation(due, conversation, tools)
  const ask = (intents: readonly Intent[]) => firstOf(intents, conversation, tools)
  const { results, language, text } = conversation
  const isReadable = text.length <= LONGEST_TEXT
  const action = isReadable ? ask(ACTING) : undefined
  if (action) return action
  if (results.length > 0) return { text: phraseResults(results, language) }
  return (isReadable ? ask(SMALL_TALK) : undefined) ?? sayNotUnderstood(conversation)
}

function firstOf(intents: readonly Intent[], conversation: Conversation, tools: ReadonlySet<string>) {
  for (const intent of intents) {
    const step = intent(conversation, tools)
    if (step) return step
  }
  return undefined
}

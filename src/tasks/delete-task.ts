import type { Task } from './contract'
import type { TurnOrigin } from '../contracts/words'
import { refuse } from './refusals'
import type { AskingTurn, TaskLedger } from './task-ledger'
import type { TaskOutcome } from './tasks'

/** A program says itself that it means it; in a conversation only the person can, in a message after the question. */
export type Consent = { given: boolean } | { turn: AskingTurn; origin: TurnOrigin }

export async function deleteTask(ledger: TaskLedger, taskId: string, consent: Consent): Promise<TaskOutcome> {
  const task = await ledger.find(taskId)
  if (!task) return refuse('not_found')
  if ('given' in consent) return consent.given ? remove(ledger, task) : refuse('need_confirmation', [task])
  const { turn, origin } = consent
  if (origin === 'user' && (await saidYes(ledger, task, turn))) return remove(ledger, task)
  await ledger.askToDelete(taskId, turn)
  return refuse('need_confirmation', await ledger.listAsked(turn))
}

async function remove(ledger: TaskLedger, task: Task): Promise<TaskOutcome> {
  const reminders = await ledger.listPendingReminders(task.taskId)
  await ledger.remove(task.taskId)
  return { ok: true, task, reminders }
}

/** Only the message right after the question can answer it: a no, another subject or another question withdraws it. */
async function saidYes(ledger: TaskLedger, task: Task, turn: AskingTurn): Promise<boolean> {
  const answer = await ledger.findAnswer(task, turn)
  return answer !== undefined && saysYes(answer.message, task.title, answer.titles)
}

/** What takes a yes back, and the greeting that has the word 好 in it. */
const NO =
  /[你您]好|不|别|別|没|沒|勿|算了|等等|等一下|留着|留著|保留|\b(?:no|not|don'?t|never|wait|stop|keep|cancel)\b|[?？]|吗|嗎/i
const DELETE = /删除|删掉|刪除|刪掉|[删刪]|移除|去掉|清除|\b(?:delete|remove)\b/gi
const YES =
  /是的|是|对的|对|對|好的|好|嗯|确认|确定|確認|確定|可以|行|同意|当然|當然|要|需要|请|請|麻烦|帮我|帮忙|就|把|将|👍[🏻-🏿]?|👌[🏻-🏿]?|✅|🆗|\b(?:yes|yeah|yep|yup|y|ok|okay|sure|confirm(?:ed)?|please|do|go ahead|right|correct|certain|i|am|you|may|can)\b/giu
const WHAT =
  /这些|那些|这个|那个|这条|那条|這個|那個|它们|它|他们|所有|全部|都|任务|任務|待办|事项|两个|三个|[0-9]+ ?个|\b(?:it|them|this|that|these|those|the|all|both|my|tasks?|ones?)\b/gi
const PARTICLES =
  /[\s,，。.!！~～、;；:：“”"'「」『』《》()（）]|吧|呀|啊|哦|喔|的|了|啦|嘛|我|你|您|和|跟|一下|掉|\band\b/gi
const LONGEST = 300

/**
 * Whether a message says yes to "really delete it?" and nothing else: what is left when the words of assent, of deleting
 * and the titles are taken out must be empty, so that "删除另一个" or a change of subject is no yes. Who names some of the
 * tasks they were asked about means those alone.
 */
function saysYes(message: string, title: string, askedTitles: string[]): boolean {
  const named = askedTitles.filter((asked) => asked !== '' && message.includes(asked))
  const isNamed = named.length === 0 || named.includes(title)
  const bare = named
    .sort((a, b) => b.length - a.length)
    .reduce((text, asked) => text.replaceAll(asked, ' '), message)
    .replaceAll('没错', '对')
  if (message.length > LONGEST || !isNamed || NO.test(bare)) return false
  const saysSo = bare.search(DELETE) >= 0 || bare.search(YES) >= 0
  const rest = [DELETE, YES, WHAT, PARTICLES].reduce((text, words) => text.replaceAll(words, ''), bare)
  return saysSo && rest === ''
}

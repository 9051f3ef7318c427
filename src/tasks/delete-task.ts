import type { Task } from '../contracts/task'
import type { TurnOrigin } from '../contracts/words'
import { readAssent } from './read-assent'
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

/** A bare "好" answers the question right before it; later on, the person has to say that it is about deleting. */
async function saidYes(ledger: TaskLedger, task: Task, turn: AskingTurn): Promise<boolean> {
  const answer = await ledger.findAnswer(task, turn)
  if (!answer) return false
  const assent = readAssent(answer.message, task.title, answer.titles)
  return assent === 'yes_delete' || (assent === 'yes' && answer.isNext)
}

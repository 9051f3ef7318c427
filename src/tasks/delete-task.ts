import type { Task } from './contract'
import type { TurnOrigin } from '../contracts/words'
import { saysYes } from './says-yes'
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

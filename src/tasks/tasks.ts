import { v7 as uuidv7 } from 'uuid'
import { OPEN_TASKS_LIMIT } from './contract'
import type { Task, TaskFilter, TaskOwner, TaskPriority, TaskReminder } from './contract'
import { deleteTask } from './delete-task'
import type { Consent } from './delete-task'
import { prepareReminder } from './prepare-reminder'
import type { PreparedReminder, ReminderWish } from './prepare-reminder'
import { readFilter } from './read-filter'
import type { FilterWish } from './read-filter'
import { refuse } from './refusals'
import type { TaskRefusal } from './refusals'
import { orNull, refuseTexts, isSameTitle, tidy } from './task-text'
import { changeTime, isSameTime, overlaps, settleTime } from './task-time'
import type { TimeWish } from './task-time'
import type { TaskLedger, TaskLedgers, WritingTurn } from './task-ledger'

/** Who writes: whose tasks they are, in which zone their day is, and in which turn, if it is one. */
export interface TaskActor {
  owner: TaskOwner
  zone: string
  turn?: WritingTurn
}

export interface TaskDraft extends TimeWish {
  title: string
  priority?: TaskPriority
  groupId?: string
  description?: string
}
export type TaskChange = Partial<Omit<TaskDraft, 'groupId'>>

/** `reminders` are those still to come that were made for this task. */
export type TaskOutcome =
  { ok: true; task: Task; before?: Task; note?: string; reminders: TaskReminder[] } | TaskRefusal
export type QueryOutcome = { ok: true; tasks: Task[]; count: number } | TaskRefusal

export interface TaskPage {
  limit: number
  offset?: number
}

export interface FoundTask {
  task: Task
  owner: TaskOwner
  timezone: string
  reminders: TaskReminder[]
}

/** What only reads. */
export interface TaskReader {
  find(taskId: string): Promise<FoundTask | undefined>
  list(owner: TaskOwner, filter: TaskFilter, page: TaskPage): Promise<{ tasks: Task[]; count: number }>
}

interface TaskParts {
  ledgers: TaskLedgers
  reader: TaskReader
  clock: { now(): Promise<Date> }
}

export type Tasks = ReturnType<typeof createTasks>

/** The one place that decides about tasks; the model's tools and the HTTP routes both come here. */
export function createTasks({ ledgers, reader, clock }: TaskParts) {
  const write = (actor: TaskActor, work: (ledger: TaskLedger) => Promise<TaskOutcome>) =>
    ledgers.open(actor.owner, actor.turn, work)

  return {
    find: reader.find,

    create: (actor: TaskActor, draft: TaskDraft) => write(actor, (ledger) => createTask(ledger, actor, draft)),

    update: (actor: TaskActor, taskId: string, change: TaskChange) =>
      write(actor, async (ledger) => {
        const task = await ledger.find(taskId)
        return task ? updateTask(ledger, actor, task, change) : refuse('not_found')
      }),

    complete: (actor: TaskActor, taskId: string) =>
      write(actor, async (ledger) => {
        const task = await ledger.find(taskId)
        if (!task) return refuse('not_found')
        const reminders = await ledger.listPendingReminders(taskId)
        return { ok: true, task: task.status === 'completed' ? task : await ledger.complete(taskId), reminders }
      }),

    delete: (actor: TaskActor, taskId: string, consent: Consent) =>
      write(actor, (ledger) => deleteTask(ledger, taskId, consent)),

    prepareReminder: (actor: TaskActor, wish: ReminderWish): Promise<PreparedReminder> =>
      ledgers.open(actor.owner, actor.turn, (ledger) => prepareReminder(ledger, actor.zone, wish)),

    async query(owner: TaskOwner, zone: string, wish: FilterWish, page: TaskPage): Promise<QueryOutcome> {
      const filter = readFilter(wish, { now: await clock.now(), zone })
      return filter.ok ? { ok: true, ...(await reader.list(owner, filter.filter, page)) } : filter
    },
  }
}

async function createTask(ledger: TaskLedger, { zone }: TaskActor, draft: TaskDraft): Promise<TaskOutcome> {
  const { title, description, groupId, priority = 'medium' } = draft
  const unfit = refuseTexts({ title, description, groupId })
  if (unfit) return unfit
  const settled = settleTime(draft, { now: ledger.now, zone })
  if (!settled.ok) return settled
  const wanted = {
    taskId: uuidv7(),
    title: tidy(title),
    description: orNull(description),
    groupId: orNull(groupId),
    priority,
    ...settled.time,
  }
  const clash = await findClash(ledger, wanted)
  if (clash) return clash
  if ((await ledger.countOpen()) >= OPEN_TASKS_LIMIT) return refuse('too_many_tasks')
  return { ok: true, task: await ledger.insert({ ...wanted, timezone: zone }), note: settled.note, reminders: [] }
}

async function updateTask(
  ledger: TaskLedger,
  { zone }: TaskActor,
  before: Task,
  change: TaskChange,
): Promise<TaskOutcome> {
  if (Object.values(change).every((value) => value === undefined)) return refuse('nothing_to_change')
  if (before.status === 'completed') return refuse('already_completed', [before])
  const unfit = refuseTexts(change)
  if (unfit) return unfit
  const settled = changeTime(before, change, { now: ledger.now, zone })
  if (!settled.ok) return settled
  const { title = before.title, description, priority = before.priority } = change
  const wanted = {
    ...before,
    ...settled.time,
    title: tidy(title),
    priority,
    description: description === undefined ? before.description : orNull(description),
  }
  const clash = await findClash(ledger, wanted)
  if (clash) return clash
  const task = await ledger.update(wanted, zone)
  return { ok: true, task, before, note: settled.note, reminders: await ledger.listPendingReminders(task.taskId) }
}

/** The same again is said as such; else every task it overlaps with. */
async function findClash(ledger: TaskLedger, wanted: Omit<Task, 'createdAt' | 'updatedAt' | 'completedAt' | 'status'>) {
  const others = (await ledger.listOpenOn(wanted.dueDate)).filter(({ taskId }) => taskId !== wanted.taskId)
  const same = others.filter((task) => isSameTime(task, wanted) && isSameTitle(task.title, wanted.title))
  if (same.length > 0) return refuse('duplicate', same)
  const clashing = others.filter((task) => overlaps(task, wanted))
  return clashing.length > 0 ? refuse('conflict', clashing) : undefined
}

import type { Task, TaskOwner, TaskReminder } from './contract'

/** The tasks of one person while nobody else can write in them. */
export interface TaskLedger {
  /** PostgreSQL's clock, read after the lock was taken. */
  now: Date
  find(taskId: string): Promise<Task | undefined>
  listOpenOn(dueDate: string): Promise<Task[]>
  countOpen(): Promise<number>
  insert(task: NewTask): Promise<Task>
  update(task: Task, timezone: string): Promise<Task>
  complete(taskId: string): Promise<Task>
  remove(taskId: string): Promise<void>
  listPendingReminders(taskId: string): Promise<TaskReminder[]>
  linkReminder(link: { scheduledMessageId: string; taskId: string; minutesBefore: number }): Promise<void>
  /** Notes that the person is asked in this turn whether the task may go. */
  askToDelete(taskId: string, turn: AskingTurn): Promise<void>
  /** All that this turn has asked about so far. */
  listAsked(turn: AskingTurn): Promise<Task[]>
  /**
   * What the person says in this turn, if it is their first message after the turn that asked and nothing has changed
   * since; `titles` are of all the tasks they were asked about then.
   */
  findAnswer(task: Task, turn: AskingTurn): Promise<{ message: string; titles: string[] } | undefined>
}

export type NewTask = Omit<Task, 'createdAt' | 'updatedAt' | 'completedAt' | 'status'> & { timezone: string }

export interface AskingTurn {
  sessionKey: string
  turnId: string
}

/** In which turn something is written; none when a program writes. */
export interface WritingTurn extends AskingTurn {
  fence: number
}

export interface TaskLedgers {
  /** One transaction under the lock of this person: of two that clash, the second sees what the first has written. */
  open<T>(owner: TaskOwner, turn: WritingTurn | undefined, work: (ledger: TaskLedger) => Promise<T>): Promise<T>
}

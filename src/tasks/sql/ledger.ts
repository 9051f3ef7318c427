import type { Task, TaskOwner } from '../contract'
import type { NewTask, TaskLedger } from '../task-ledger'
import type { Queryable } from '../../engine/database'
import { storableText } from '../../engine/storable'
import { askToDelete, findAnswer, listAsked } from './delete-questions'
import { listPendingReminders } from './reminders'
import { TASK } from './read'

/** The tasks of one person inside a transaction that holds their lock. */
export function createLedger(db: Queryable, owner: TaskOwner, now: Date): TaskLedger {
  const whose = [owner.botUuid, owner.launcherType, owner.launcherId]
  const OF_OWNER = 'bot_uuid = $1 AND launcher_type = $2 AND launcher_id = $3'
  const rowsOf = async (sql: string, values: unknown[]) => (await db.query<Task>(sql, values)).rows

  return {
    now,

    async find(taskId) {
      if (!UUID.test(taskId)) return undefined
      const found = await rowsOf(`SELECT ${TASK} FROM tasks WHERE ${OF_OWNER} AND id = $4`, [...whose, taskId])
      return found[0]
    },

    listOpenOn: (dueDate) =>
      rowsOf(
        `SELECT ${TASK} FROM tasks WHERE ${OF_OWNER} AND due_date = $4 AND status = 'pending'
         ORDER BY start_time NULLS FIRST, id`,
        [...whose, dueDate],
      ),

    async countOpen() {
      const sql = `SELECT count(*) AS open FROM tasks WHERE ${OF_OWNER} AND status = 'pending'`
      return (await db.query<{ open: number }>(sql, whose)).rows[0]!.open
    },

    insert: (task) => insertTask(db, owner, task),
    update: (task, timezone) => updateTask(db, task, timezone),

    async complete(taskId) {
      const sql = `UPDATE tasks SET status = 'completed', completed_at = now(), updated_at = now() WHERE id = $1`
      return (await rowsOf(`${sql} RETURNING ${TASK}`, [taskId]))[0]!
    },

    remove: async (taskId) => void (await db.query('DELETE FROM tasks WHERE id = $1', [taskId])),
    listPendingReminders: (taskId) => listPendingReminders(db, taskId),

    async linkReminder({ scheduledMessageId, taskId, minutesBefore }) {
      await db.query('INSERT INTO task_reminders (scheduled_message_id, task_id, minutes_before) VALUES ($1, $2, $3)', [
        scheduledMessageId,
        taskId,
        minutesBefore,
      ])
    },

    askToDelete: (taskId, turn) => askToDelete(db, taskId, turn),
    listAsked: (turn) => listAsked(db, turn),
    findAnswer: (task, turn) => findAnswer(db, task, turn),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What both statements write of a task: `$1` to `$8`. */
const valuesOf = (task: NewTask | Task): unknown[] => [
  task.taskId,
  storableText(task.title),
  task.description && storableText(task.description),
  task.dueDate,
  task.startTime,
  task.endTime,
  task.timeSegment,
  task.priority,
]

async function insertTask(db: Queryable, owner: TaskOwner, task: NewTask): Promise<Task> {
  const { rows } = await db.query<Task>(
    `INSERT INTO tasks (id, bot_uuid, launcher_type, launcher_id, title, description, due_date, start_time, end_time,
       time_segment, priority, group_id, timezone)
     VALUES ($1, $9, $10, $11, $2, $3, $4, $5, $6, $7, $8, $12, $13) RETURNING ${TASK}`,
    [
      ...valuesOf(task),
      owner.botUuid,
      owner.launcherType,
      owner.launcherId,
      task.groupId && storableText(task.groupId),
      task.timezone,
    ],
  )
  return rows[0]!
}

async function updateTask(db: Queryable, task: Task, timezone: string): Promise<Task> {
  const { rows } = await db.query<Task>(
    `UPDATE tasks SET title = $2, description = $3, due_date = $4, start_time = $5, end_time = $6, time_segment = $7,
       priority = $8, timezone = $9, updated_at = now()
     WHERE id = $1 RETURNING ${TASK}`,
    [...valuesOf(task), timezone],
  )
  return rows[0]!
}

import { CONFIRMATION_MINUTES } from '../contract'
import type { Task } from '../contract'
import type { AskingTurn } from '../task-ledger'
import type { Queryable } from '../../engine/database'
import { TASK } from './read'

export async function askToDelete(db: Queryable, taskId: string, { sessionKey, turnId }: AskingTurn): Promise<void> {
  await db.query(
    `INSERT INTO task_delete_questions (task_id, session_key, turn_id) VALUES ($1, $2, $3)
     ON CONFLICT (task_id, session_key) DO UPDATE SET turn_id = excluded.turn_id, asked_at = excluded.asked_at`,
    [taskId, sessionKey, turnId],
  )
}

export async function listAsked(db: Queryable, { sessionKey, turnId }: AskingTurn): Promise<Task[]> {
  const { rows } = await db.query<Task>(
    `SELECT ${TASK} FROM task_delete_questions q JOIN tasks ON tasks.id = q.task_id
     WHERE q.session_key = $1 AND q.turn_id = $2 ORDER BY q.asked_at, tasks.id`,
    [sessionKey, turnId],
  )
  return rows
}

interface AnswerRow {
  message: string
  titles: string[]
}

/**
 * An answer is the first message of the person that was sent after the turn with the question had ended, in the same
 * session and in time, about a task that is still as it was. What the model makes of it plays no part.
 */
export async function findAnswer(db: Queryable, { taskId }: Task, { sessionKey, turnId }: AskingTurn) {
  const { rows } = await db.query<AnswerRow>(
    `SELECT answer.input ->> 'message' AS message,
       ARRAY(SELECT t.title::text FROM task_delete_questions other JOIN tasks t ON t.id = other.task_id
         WHERE other.session_key = q.session_key AND other.turn_id = q.turn_id) AS titles
     FROM task_delete_questions q
     JOIN tasks ON tasks.id = q.task_id AND tasks.updated_at <= q.asked_at
     JOIN turns asking ON asking.id = q.turn_id AND asking.status = 'succeeded'
     JOIN turns answer ON answer.id = $3 AND answer.session_key = q.session_key AND answer.origin = 'user'
       AND answer.seq > asking.seq AND answer.created_at >= asking.ended_at
     WHERE q.task_id = $1 AND q.session_key = $2 AND q.asked_at > now() - make_interval(mins => $4)
       AND NOT EXISTS (SELECT FROM turns between_them
         WHERE between_them.session_key = q.session_key AND between_them.origin = 'user'
           AND between_them.seq > asking.seq AND between_them.seq < answer.seq)`,
    [taskId, sessionKey, turnId, CONFIRMATION_MINUTES],
  )
  return rows[0]
}

import type { Refusal } from '../contracts/refusal'
import type { Task, TaskRefusalCode } from './contract'

/** Why nothing was written, with the tasks it is about; `hint` says to a model or a program what to do. */
export interface TaskRefusal extends Refusal<TaskRefusalCode> {
  tasks: Task[]
}

const HINTS: Record<TaskRefusalCode, string> = {
  need_date: 'No day was given. Ask the person for the date; do not choose one.',
  need_end_time: 'Only a start was given. Ask the person when it ends; do not choose an end.',
  need_start_time: 'Only an end was given. Ask the person when it starts; do not choose a start.',
  time_modes_exclusive: 'Give either startTime and endTime, or timeSegment, never both.',
  segment_passed: 'This part of today has passed. Tell the person and ask for a later part or another day.',
  end_before_start: 'The end must be after the start, on the same day; 24:00 is the end of the day.',
  conflict: 'It overlaps with these tasks. Tell the person which ones and ask for another time.',
  duplicate: 'There is already a task with this title, day and time. Tell the person; do not create it again.',
  need_confirmation:
    'Nothing was deleted. Ask the person to confirm, and call this again only after they said yes in their next message.',
  not_found: 'There is no such task of this person. Use query_tasks to find the taskId.',
  already_completed: 'This task is completed and stays as it is. Create another one if it has to be done again.',
  no_exact_start: 'Only an open task with startTime can be reminded of. Ask for a time, or for when to remind.',
  nothing_to_change: 'Say at least one field that shall change.',
  too_many_tasks: 'This person has too many open tasks. Complete or delete some first.',
  bad_title: 'A title has 1 to 200 characters.',
  bad_description: 'A description has at most 4000 characters.',
  bad_group: 'A groupId has at most 100 characters.',
  bad_date: 'Write the day as YYYY-MM-DD, or as the person said it ("明天", "next Friday"), without a time.',
  bad_time:
    'Write times as HH:mm, from 00:00 to 23:59 (an end may be 24:00), or as the person said them ("下午4点"), without a day.',
  bad_span: 'dueDateTo lies before dueDateFrom, so no day fits. Ask again with the earlier day first.',
}

export function refuse(code: TaskRefusalCode, tasks: Task[] = [], hint = HINTS[code]): TaskRefusal {
  return { ok: false, code, hint, tasks }
}

import type { LauncherType } from '../contracts/words'

export const TASK_STATUSES = ['pending', 'completed'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const TASK_PRIORITIES = ['low', 'medium', 'high'] as const
export type TaskPriority = (typeof TASK_PRIORITIES)[number]

export const TIME_SEGMENTS = ['all_day', 'morning', 'afternoon', 'evening'] as const
export type TimeSegment = (typeof TIME_SEGMENTS)[number]

/** Whose task it is. One person never sees the task of another. */
export interface TaskOwner {
  botUuid: string
  launcherType: LauncherType
  launcherId: string
}

/** When, in the person's own day: an exact range or a part of the day, never both (the table checks it too). */
export interface TaskTime {
  /** YYYY-MM-DD. */
  dueDate: string
  /** HH:mm; `endTime` may be 24:00, the end of the day. */
  startTime: string | null
  endTime: string | null
  timeSegment: TimeSegment | null
}

/** What a person means to do, with the field names of docs/tasks.md. */
export interface Task extends TaskTime {
  taskId: string
  title: string
  description: string | null
  priority: TaskPriority
  groupId: string | null
  status: TaskStatus
  createdAt: Date
  updatedAt: Date
  completedAt: Date | null
}

export interface TaskFilter {
  status?: TaskStatus
  dueDate?: string
  dueDateFrom?: string
  dueDateTo?: string
  priority?: TaskPriority
}

/** A scheduled message that will remind of a task. */
export interface TaskReminder {
  scheduledMessageId: string
  sessionKey: string
  sendAt: Date
  messageText: string
  minutesBefore: number
}

export const OPEN_TASKS_LIMIT = 1_000
export const TITLE_LIMIT = 200
export const DESCRIPTION_LIMIT = 4_000
export const GROUP_ID_LIMIT = 100
/** How long a person may think about "really delete it?". */
export const CONFIRMATION_MINUTES = 30
/** A reminder is for the same day or the evening before, not for weeks ahead. */
export const LONGEST_REMINDER_MINUTES = 7 * 24 * 60

/** Why a task was not written; tools and routes answer with the same words. */
export const TASK_REFUSALS = [
  'need_date',
  'need_end_time',
  'need_start_time',
  'time_modes_exclusive',
  'segment_passed',
  'end_before_start',
  'conflict',
  'duplicate',
  'need_confirmation',
  'not_found',
  'already_completed',
  'no_exact_start',
  'nothing_to_change',
  'too_many_tasks',
  'bad_title',
  'bad_description',
  'bad_group',
  'bad_date',
  'bad_time',
  'bad_span',
] as const
export type TaskRefusalCode = (typeof TASK_REFUSALS)[number]

import { Type } from 'typebox'
import { TASK_PRIORITIES, TASK_STATUSES, TIME_SEGMENTS } from './contract'
import { Nullable } from '../http/schemas/primitives'

const Day = Type.String({
  maxLength: 200,
  description: 'YYYY-MM-DD, or words such as "明天".',
  examples: ['2026-02-06'],
})
const Clock = Type.String({ maxLength: 20, description: 'HH:mm', examples: ['16:00'] })
const Segment = Type.Enum(TIME_SEGMENTS)
const Priority = Type.Enum(TASK_PRIORITIES)

/** Fields of a task as a body may give them; the rules say what fits together. */
const Wishes = {
  dueDate: Type.Optional(Day),
  startTime: Type.Optional(Clock),
  endTime: Type.Optional(Clock),
  timeSegment: Type.Optional(Segment),
  priority: Type.Optional(Priority),
  description: Type.Optional(Type.String({ maxLength: 20_000 })),
}
export const NewTaskFields = {
  title: Type.String({ maxLength: 2_000 }),
  ...Wishes,
  groupId: Type.Optional(Type.String({ maxLength: 1_000 })),
}
export const TaskChangeFields = { title: Type.Optional(Type.String({ maxLength: 2_000 })), ...Wishes }

export const TaskFilterFields = {
  status: Type.Optional(Type.Enum(TASK_STATUSES)),
  dueDate: Type.Optional(Day),
  dueDateFrom: Type.Optional(Day),
  dueDateTo: Type.Optional(Type.String({ maxLength: 200, description: 'The last day, included.' })),
  priority: Type.Optional(Priority),
}

const Instant = Type.String({ description: 'An instant in UTC.' })

export const TaskView = Type.Object({
  taskId: Type.String(),
  title: Type.String(),
  description: Nullable(Type.String()),
  dueDate: Type.String(),
  startTime: Nullable(Type.String()),
  endTime: Nullable(Type.String()),
  timeSegment: Nullable(Segment),
  priority: Priority,
  groupId: Nullable(Type.String()),
  status: Type.Enum(TASK_STATUSES),
  createdAt: Instant,
  updatedAt: Instant,
  completedAt: Nullable(Instant),
})

/** A reminder that was made for the task and is still to come; it is cancelled as a scheduled message. */
const Reminder = Type.Object({
  scheduledMessageId: Type.String(),
  sessionKey: Type.String(),
  sendAt: Instant,
  messageText: Type.String(),
  minutesBefore: Type.Integer(),
})

export const TaskAnswer = Type.Object({
  task: TaskView,
  pendingReminders: Type.Array(Reminder),
  note: Type.Optional(Type.String()),
})

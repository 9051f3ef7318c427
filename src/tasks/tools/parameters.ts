import { Type } from 'typebox'
import { TASK_PRIORITIES, TASK_STATUSES, TIME_SEGMENTS } from '../contract'

const day = (what: string) =>
  Type.String({ description: `${what}: YYYY-MM-DD, or as the person said it ("明天", "下周五", "next Friday").` })
const clock = (what: string) =>
  Type.String({ description: `${what}: HH:mm in 24 hours, or as the person said it ("下午4点", "half past three").` })

const Segment = Type.Enum(TIME_SEGMENTS, {
  description:
    'Part of the day when no exact range was said: all_day, morning (06:00–11:59), afternoon (12:00–17:59), evening (18:00–23:59). Never together with startTime and endTime.',
})
const Priority = Type.Enum(TASK_PRIORITIES)

const When = {
  startTime: Type.Optional(clock('Start of an exact range; needs endTime')),
  endTime: Type.Optional(clock('End of an exact range (24:00 is the end of the day); needs startTime')),
  timeSegment: Type.Optional(Segment),
}

export const TaskIdParameters = Type.Object(
  { taskId: Type.String({ description: 'The taskId; if unsure, use query_tasks first.' }) },
  { additionalProperties: false },
)

export const CreateTaskParameters = Type.Object(
  {
    title: Type.String({ description: 'What is to be done, in a few words.' }),
    dueDate: day('The day; ask the person when they gave none'),
    ...When,
    priority: Type.Optional(Priority),
    groupId: Type.Optional(Type.String({ description: 'A group the person named for it.' })),
    description: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export const QueryTasksParameters = Type.Object(
  {
    status: Type.Optional(Type.Enum(TASK_STATUSES)),
    dueDate: Type.Optional(day('Only this day')),
    dueDateFrom: Type.Optional(day('First day of a span')),
    dueDateTo: Type.Optional(day('Last day of a span, included')),
    priority: Type.Optional(Priority),
  },
  { additionalProperties: false },
)

export const UpdateTaskParameters = Type.Object(
  {
    ...TaskIdParameters.properties,
    title: Type.Optional(Type.String()),
    dueDate: Type.Optional(day('The new day')),
    ...When,
    priority: Type.Optional(Priority),
    description: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

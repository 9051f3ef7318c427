import { signal } from '@preact/signals'
import { api, ApiError, messageOf, query } from '../api'
import { serverNow } from '../clock'
import type { Task } from '../types'
import { currentKey, isDraft } from './sessions'

const DAY_MS = 86_400_000
const localDay = (at: number) => {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
export const today = () => localDay(serverNow())

export const day = signal(today())
export const tasks = signal<readonly Task[] | null>(null)
export const tasksError = signal<string | null>(null)
export const tasksAbsent = signal(false)

export function moveDay(by: number): void {
  day.value = localDay(Date.parse(`${day.value}T12:00:00`) + by * DAY_MS)
}

let generation = 0
/** Those of the person this conversation is with. */
export async function loadTasks(): Promise<void> {
  const mine = ++generation
  try {
    const path = `/api/v1/tasks${query({ session_key: isDraft.value ? undefined : (currentKey.value ?? undefined), dueDate: day.value, limit: 200 })}`
    const answer = await api<{ tasks: Task[] }>(path)
    if (mine !== generation) return
    tasks.value = answer.tasks
    tasksError.value = null
    tasksAbsent.value = false
  } catch (error) {
    if (mine !== generation) return
    if (error instanceof ApiError && error.code === 'route_not_found') tasksAbsent.value = true
    else tasksError.value = messageOf(error)
  }
}

export async function completeTask({ taskId }: Task): Promise<void> {
  await api(`/api/v1/tasks/${taskId}/complete`, { method: 'POST' })
  await loadTasks()
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** The same rule as the server's: two exact ranges of a day that overlap, of what is still to be done. */
export function conflictsOf(task: Task, all: readonly Task[]): Task[] {
  const { startTime, endTime } = task
  if (!startTime || !endTime || isDone(task)) return []
  return all.filter(
    (other) =>
      other.taskId !== task.taskId &&
      !isDone(other) &&
      other.startTime &&
      other.endTime &&
      minutes(other.startTime) < minutes(endTime) &&
      minutes(other.endTime) > minutes(startTime),
  )
}

export const isDone = ({ status }: Task) => status === 'completed'

/** An exact time belongs to the part of the day it begins in. */
export function segmentOf({ startTime, timeSegment }: Task): string {
  if (!startTime) return timeSegment ?? 'all_day'
  const hour = Number(startTime.slice(0, 2))
  if (hour < 6) return 'night'
  return hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
}

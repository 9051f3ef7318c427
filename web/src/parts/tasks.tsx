import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { messageOf } from '../api'
import { t } from '../language'
import { notify } from '../state/notices'
import {
  completeTask,
  conflictsOf,
  day,
  isDone,
  loadTasks,
  moveDay,
  segmentOf,
  tasks,
  tasksAbsent,
  tasksError,
  today,
} from '../state/tasks'
import { currentKey } from '../state/sessions'
import { dayName } from '../times'
import type { Task } from '../types'
import { Icon } from './icons'

const SEGMENTS = ['all_day', 'night', 'morning', 'afternoon', 'evening']

export function Tasks(): JSX.Element {
  useEffect(() => void loadTasks(), [day.value, currentKey.value])
  const all = tasks.value ?? []
  return (
    <section aria-label={t().tasks.title}>
      <DayPicker />
      {tasksAbsent.value ? <p class="nothing muted">{t().tasks.absent}</p> : null}
      {tasksError.value === null ? null : (
        <div class="problem" role="alert">
          <p>
            {t().tasks.error} {tasksError.value}
          </p>
          <button type="button" onClick={() => void loadTasks()}>
            {t().tryAgain}
          </button>
        </div>
      )}
      {tasks.value?.length === 0 ? (
        <div class="nothing">
          <p>{t().tasks.none}</p>
          <p class="muted small">{t().tasks.noneHint}</p>
        </div>
      ) : null}
      {SEGMENTS.map((segment) => (
        <Segment key={segment} segment={segment} all={all} />
      ))}
    </section>
  )
}

function DayPicker(): JSX.Element {
  const isToday = day.value === today()
  return (
    <div class="day">
      <button
        type="button"
        class="quiet icon-button"
        aria-label={t().tasks.previous}
        title={t().tasks.previous}
        onClick={() => moveDay(-1)}
      >
        <Icon name="left" />
      </button>
      <h3 aria-live="polite">
        {dayName(`${day.value}T12:00:00`)}
        {isToday ? <span class="tag">{t().tasks.today}</span> : null}
      </h3>
      {isToday ? null : (
        <button type="button" class="link" onClick={() => (day.value = today())}>
          {t().tasks.today}
        </button>
      )}
      <button
        type="button"
        class="quiet icon-button"
        aria-label={t().tasks.next}
        title={t().tasks.next}
        onClick={() => moveDay(1)}
      >
        <Icon name="right" />
      </button>
    </div>
  )
}

function Segment({ segment, all }: { segment: string; all: readonly Task[] }): JSX.Element | null {
  const byTime = (one: Task, other: Task) => (one.startTime ?? '').localeCompare(other.startTime ?? '')
  const mine = all.filter((task) => segmentOf(task) === segment).sort(byTime)
  if (mine.length === 0) return null
  return (
    <section class="segment" aria-label={t().tasks.segments[segment]}>
      <h4>{t().tasks.segments[segment]}</h4>
      <ul class="task-list">
        {mine.map((task) => (
          <TaskLine key={task.taskId} task={task} all={all} />
        ))}
      </ul>
    </section>
  )
}

function TaskLine({ task, all }: { task: Task; all: readonly Task[] }): JSX.Element {
  const done = isDone(task)
  const conflicts = conflictsOf(task, all)
  const complete = () => void completeTask(task).catch((error: unknown) => notify(messageOf(error), 'bad'))
  const label = done ? t().tasks.reopen(task.title) : t().tasks.complete(task.title)
  return (
    <li class={`task ${done ? 'done' : ''} ${conflicts.length > 0 ? 'clashes' : ''}`} data-task={task.taskId}>
      <button
        type="button"
        class="check"
        role="checkbox"
        aria-checked={done}
        aria-label={label}
        disabled={done}
        onClick={complete}
      >
        {done ? <Icon name="tick" /> : null}
      </button>
      <div>
        <p class="what">{task.title}</p>
        {task.startTime ? (
          <p class="task-time">
            {task.startTime.slice(0, 5)}–{task.endTime?.slice(0, 5)}
          </p>
        ) : null}
        {conflicts.map((other) => (
          <p key={other.taskId} class="late small">
            <Icon name="warning" /> {t().tasks.conflict(other.title)}
          </p>
        ))}
      </div>
      {task.priority && task.priority !== 'medium' ? (
        <span class={`tag ${task.priority}`}>{t().tasks.priorities[task.priority] ?? task.priority}</span>
      ) : null}
    </li>
  )
}

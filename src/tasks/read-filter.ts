import type { TaskFilter } from './contract'
import { readDay } from '../time'
import { refuse } from './refusals'
import type { TaskRefusal } from './refusals'
import type { Clock } from './task-time'

/** A filter as it was said: days may be words. */
export type FilterWish = TaskFilter

const DAYS = ['dueDate', 'dueDateFrom', 'dueDateTo'] as const

export function readFilter(wish: FilterWish, { now, zone }: Clock): { ok: true; filter: TaskFilter } | TaskRefusal {
  const filter: TaskFilter = { status: wish.status, priority: wish.priority }
  for (const field of DAYS) {
    const said = wish[field]?.trim()
    if (!said) continue
    const day = readDay(said, now, zone)
    if (day === undefined) return refuse('bad_date')
    filter[field] = day
  }
  const { dueDateFrom: from, dueDateTo: to } = filter
  return from && to && to < from ? refuse('bad_span') : { ok: true, filter }
}

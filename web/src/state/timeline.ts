import { signal } from '@preact/signals'
import { api, messageOf, query } from '../api'
import { serverNow } from '../clock'
import type { Kept, PromiseItem } from '../types'
import { scopeKey } from './promises'

export const MOST_SHOWN = 300
const DAY_MS = 86_400_000

export interface Timeline {
  kept: Kept
  promises: PromiseItem[]
  from: number
  to: number
}

export const timeline = signal<Timeline | null>(null)
export const timelineError = signal<string | null>(null)

export async function loadTimeline(): Promise<void> {
  const to = serverNow()
  const from = to - DAY_MS
  const window = { due_from: new Date(from).toISOString(), due_to: new Date(to).toISOString() }
  const filter = { session_key: scopeKey() }
  try {
    const [kept, { promises }] = await Promise.all([
      api<Kept>(`/api/v1/promises/kept${query({ ...filter, hours: 24 })}`),
      api<{ promises: PromiseItem[] }>(
        `/api/v1/promises${query({ ...filter, ...window, order: 'desc', limit: MOST_SHOWN })}`,
      ),
    ])
    // An automation itself is only its next run; its past ones are there as runs.
    const fell = promises.filter(({ kind }) => kind !== 'automation')
    timeline.value = { kept, promises: fell, from, to }
    timelineError.value = null
  } catch (error) {
    timelineError.value = messageOf(error)
  }
}

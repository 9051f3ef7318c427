import { computed, signal } from '@preact/signals'
import { api, query } from '../api'
import { second } from '../clock'
import type { Run } from '../types'
import { scope, scopeKey } from './promises'
import { isDraft } from './sessions'

const STAYS_MS = 8_000
const LATELY_MS = 3_600_000

export const runs = signal<readonly Run[]>([])

let generation = 0
export async function loadRuns(): Promise<void> {
  const mine = ++generation
  if (scope.value === 'session' && isDraft.value) return void (runs.value = [])
  const answer = await api<{ runs: Run[] }>(`/api/v1/runs${query({ session_key: scopeKey(), limit: 30 })}`)
  if (mine === generation) runs.value = answer.runs
}

/** Many events of a run come at once; one look afterwards shows them all. */
let soon: ReturnType<typeof setTimeout> | undefined
export function reloadRunsSoon(): void {
  clearTimeout(soon)
  soon = setTimeout(() => void loadRuns().catch(() => undefined), 120)
}

const endedFor = ({ ended_at: at }: Run) => (at === null ? -1 : second.value - Date.parse(at))
export const activeRuns = computed(() => runs.value.filter((run) => endedFor(run) < STAYS_MS))
export const endedRuns = computed(() =>
  runs.value.filter((run) => endedFor(run) >= STAYS_MS && endedFor(run) < LATELY_MS),
)

/** A step that reports later and has not yet. */
export const nextDue = (run: Run): number | null => {
  const due = run.steps
    .filter(({ feedback_at: at, status }) => at !== null && status !== 'reported' && status !== 'skipped')
    .map(({ feedback_at: at }) => Date.parse(at ?? ''))
  return run.status === 'running' && due.length > 0 ? Math.min(...due) : null
}

/** The work is stopped and what it had so far is dropped, so there is nothing to undo. */
export async function cancelRun(run: Run): Promise<boolean> {
  const { cancelled } = await api<{ cancelled: boolean }>(`/api/v1/runs/${run.run_id}`, { method: 'DELETE' })
  await loadRuns()
  return cancelled
}

import { signal } from '@preact/signals'
import { api, ApiError, query, sessionPath } from '../api'
import type { Automation, PromiseItem } from '../types'
import { scope } from './promises'
import { currentKey, isDraft } from './sessions'

export const automations = signal<readonly Automation[]>([])
const MOST = 50

let generation = 0
export async function loadAutomations(): Promise<void> {
  const mine = ++generation
  const found = await (scope.value === 'session' ? ofSession() : ofAll())
  if (mine === generation) automations.value = found
}

async function ofSession(): Promise<Automation[]> {
  if (currentKey.value === null || isDraft.value) return []
  const path = `${sessionPath(currentKey.value)}/automations`
  return (await api<{ automations: Automation[] }>(path)).automations
}

/** There is no list over all sessions; what has a next run is found among the promises. */
async function ofAll(): Promise<Automation[]> {
  const path = `/api/v1/promises${query({ state: 'pending', limit: 500 })}`
  const { promises } = await api<{ promises: PromiseItem[] }>(path)
  const ids = new Set(promises.filter(({ kind }) => kind === 'automation').map(({ id }) => id))
  const found = await Promise.all([...ids].slice(0, MOST).map(findOne))
  return found.filter((automation) => automation !== null)
}

async function findOne(id: string): Promise<Automation | null> {
  return api<Automation>(`/api/v1/automations/${id}`).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  })
}

let soon: ReturnType<typeof setTimeout> | undefined
export function reloadAutomationsSoon(): void {
  clearTimeout(soon)
  soon = setTimeout(() => void loadAutomations().catch(() => undefined), 200)
}

export async function setEnabled({ id }: Automation, enabled: boolean): Promise<void> {
  await api(`/api/v1/automations/${id}`, { method: 'PATCH', body: { enabled } })
  await loadAutomations()
}

export async function deleteAutomation({ id }: Automation): Promise<void> {
  await api(`/api/v1/automations/${id}`, { method: 'DELETE' })
  await loadAutomations()
}

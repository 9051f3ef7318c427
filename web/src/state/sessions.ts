import { computed, signal } from '@preact/signals'
import { api, query, sessionPath } from '../api'
import type { Session } from '../types'

const LAST = 'punctual.session'
const TITLE_CHARACTERS = 40

export const sessions = signal<Session[] | null>(null)
export const currentKey = signal<string | null>(null)
/** A conversation that nobody has said anything in yet exists only here. */
export const isDraft = signal(false)
export const current = computed(() => sessions.value?.find(({ session_key: key }) => key === currentKey.value) ?? null)

export async function loadSessions(): Promise<Session[]> {
  const { sessions: found } = await api<{ sessions: Session[] }>(`/api/v1/sessions${query({ limit: 200 })}`)
  sessions.value = found
  return found
}

/** The one that was open last, or the person's own. */
export async function findFirstSession(): Promise<string> {
  const found = await loadSessions()
  const last = localStorage.getItem(LAST)
  if (last !== null && found.some(({ session_key: key }) => key === last)) return last
  const { session_key: own } = await api<{ session_key: string }>(`/api/ai/messages${query({ limit: 1 })}`)
  if (!found.some(({ session_key: key }) => key === own)) await loadSessions()
  return own
}

export function choose(key: string, draft = false): void {
  if (!draft) localStorage.setItem(LAST, key)
  isDraft.value = draft
  currentKey.value = key
}

export const startDraft = () => choose(`web-${crypto.randomUUID()}`, true)

/** Its first words name a conversation until somebody names it better. */
export async function becomeReal(key: string, firstWords: string): Promise<void> {
  choose(key)
  const line = firstWords.replace(/\s+/g, ' ')
  const title = [...line].length > TITLE_CHARACTERS ? `${[...line].slice(0, TITLE_CHARACTERS - 1).join('')}…` : line
  await rename(key, title).catch(() => loadSessions())
}

export async function rename(key: string, title: string): Promise<void> {
  await api(sessionPath(key), { method: 'PATCH', body: { title } })
  await loadSessions()
}

export interface DeleteAnswer {
  deleted: boolean
  blocked_by_automations?: boolean
  automations?: { id: string; name: string; enabled: boolean }[]
}

/** Asked twice where automations are bound to it: the first answer names them. */
export async function deleteSession(key: string, withAutomations: boolean): Promise<DeleteAnswer> {
  const path = `${sessionPath(key)}${withAutomations ? '?delete_automations=true' : ''}`
  const answer = await api<DeleteAnswer>(path, { method: 'DELETE' })
  if (answer.deleted && localStorage.getItem(LAST) === key) localStorage.removeItem(LAST)
  return answer
}

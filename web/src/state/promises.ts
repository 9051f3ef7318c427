import { computed, signal } from '@preact/signals'
import { api, messageOf, query } from '../api'
import { second, serverNow } from '../clock'
import { t } from '../language'
import type { PromiseEventData, PromiseItem, ScheduledMessage } from '../types'
import { announce, notify } from './notices'
import { currentKey, isDraft } from './sessions'

export interface Shown extends Omit<PromiseItem, 'workflow_id' | 'bot_uuid'> {
  /** Absent until the list has said it: events do not. */
  workflow_id?: string
  /** When the page saw it change: it stays in its place for a moment, so that the change can be read. */
  settledAt?: number
  reason?: string
}

const DAY_MS = 86_400_000
const STAYS_MS = 8_000
const MOST = 200

export const scope = signal<'session' | 'all'>('session')
export const promises = signal<ReadonlyMap<string, Shown>>(new Map())
export const promisesError = signal<string | null>(null)

/** A run has one promise a step that reports later, and an automation one a run: the due time tells them apart. */
const keyOf = ({ kind, id, due_at: due }: Pick<PromiseItem, 'kind' | 'id' | 'due_at'>) =>
  kind === 'scheduled_message' ? `${kind}:${id}` : `${kind}:${id}:${Date.parse(due)}`

export const scopeKey = () => (scope.value === 'session' ? (currentKey.value ?? undefined) : undefined)

const list = (filter: Record<string, string | number | undefined>) =>
  api<{ promises: PromiseItem[] }>(`/api/v1/promises${query({ session_key: scopeKey(), ...filter })}`)

let generation = 0
/** What is pending, what was cancelled but can be undone, and what fell due in the last day. */
export async function loadPromises(): Promise<void> {
  const mine = ++generation
  if (scope.value === 'session' && isDraft.value) return void (promises.value = new Map())
  const now = serverNow()
  const [from, to] = [new Date(now - DAY_MS).toISOString(), new Date(now).toISOString()]
  try {
    const parts = await Promise.all([
      list({ state: 'pending', limit: MOST }),
      list({ state: 'cancelled', due_from: to, limit: 20 }),
      list({ due_from: from, due_to: to, order: 'desc', limit: MOST }),
    ])
    if (mine !== generation) return
    const before = promises.value
    promises.value = new Map(
      parts.flatMap((part) => part.promises).map((item) => [keyOf(item), { ...before.get(keyOf(item)), ...item }]),
    )
    promisesError.value = null
    explainFailures()
  } catch (error) {
    if (mine === generation) promisesError.value = messageOf(error)
  }
}

/** Several are promised at once at times; one look afterwards shows them all. */
let soon: ReturnType<typeof setTimeout> | undefined
function reloadPromisesSoon(): void {
  clearTimeout(soon)
  soon = setTimeout(() => void loadPromises(), 120)
}

/** A change that the session's stream tells. */
export function applyPromise(event: PromiseEventData, sessionKey: string): void {
  const key = keyOf(event)
  const before = promises.value.get(key)
  const changed = before !== undefined && before.state !== event.state
  const settledAt = changed && event.state !== 'pending' ? serverNow() : before?.settledAt
  const item: Shown = { session_key: sessionKey, ...before, ...event, settledAt }
  promises.value = new Map(promises.value).set(key, item)
  if (item.workflow_id === undefined) reloadPromisesSoon()
  const words = t().announce[event.state as keyof ReturnType<typeof t>['announce']]
  if (changed && words) announce(words(event.summary))
  explainFailures()
}

/** Why it failed is in the message itself, and asked for once. */
function explainFailures(): void {
  for (const [key, item] of promises.value) {
    if (item.kind !== 'scheduled_message' || item.state !== 'failed' || item.reason !== undefined) continue
    promises.value = new Map(promises.value).set(key, { ...item, reason: '' })
    void api<ScheduledMessage>(`/api/v1/scheduled-messages/${item.id}`)
      .then(({ last_error: reason }) => {
        const now = promises.value.get(key)
        if (now) promises.value = new Map(promises.value).set(key, { ...now, reason: reason ?? '' })
      })
      .catch(() => undefined)
  }
}

const byDue = (one: Shown, other: Shown) => one.due_at.localeCompare(other.due_at)
const reminders = computed(() => [...promises.value.values()].filter(({ kind }) => kind === 'scheduled_message'))
const stays = ({ state, settledAt }: Shown) =>
  state === 'pending' || (settledAt !== undefined && second.value - settledAt < STAYS_MS)

export const upcoming = computed(() => reminders.value.filter(stays).sort(byDue))
export const lately = computed(() =>
  reminders.value
    .filter((item) => !stays(item))
    .sort(byDue)
    .reverse(),
)

export async function cancelReminder(item: Shown): Promise<void> {
  const path = `/api/v1/scheduled-messages/${item.id}`
  const answer = await api<{ cancelled: boolean; scheduled_message: ScheduledMessage }>(path, { method: 'DELETE' })
  if (!answer.cancelled) notify(t().promises.tooLate, 'bad')
  const { status: state } = answer.scheduled_message
  if (promises.value.get(keyOf(item))?.state !== state) applyPromise({ ...item, state }, item.session_key)
}

/** Whoever cancelled it may have it back while its time is still to come, unless it is there again already. */
export function canUndo(item: Shown): boolean {
  if (item.kind !== 'scheduled_message' || item.state !== 'cancelled') return false
  if (Date.parse(item.due_at) - second.value < 2_000) return false
  const isTwin = (other: Shown) =>
    other.state === 'pending' && other.due_at === item.due_at && other.summary === item.summary
  return !reminders.value.some(isTwin)
}

/** Cancelling was final the moment it was done, so undoing is a new promise: same words, same instant, same place. */
export async function undoCancel(item: Shown): Promise<void> {
  const old = await api<ScheduledMessage>(`/api/v1/scheduled-messages/${item.id}`)
  await api('/api/v1/scheduled-messages', {
    body: {
      session_key: old.session_id,
      send_at: new Date(old.send_at_ts).toISOString(),
      message_text: old.message_text,
    },
  })
  notify(t().promises.restored)
  await loadPromises()
}

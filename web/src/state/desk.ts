import { effect, signal, untracked } from '@preact/signals'
import { ApiError, keepToken, messageOf, token } from '../api'
import { followSession } from '../stream'
import type { StreamEvent } from '../stream'
import type { DeltaData, Message, PromiseEventData, TurnEventData } from '../types'
import { loadAbout } from './about'
import { loadAutomations, reloadAutomationsSoon } from './automations'
import { addDelta, addMessages, clear, loadConversation, loadState, noteTurn, outgoing, ownTurns } from './conversation'
import { applyPromise, loadPromises, scope } from './promises'
import { loadRuns, reloadRunsSoon } from './runs'
import { confirmOutgoing, say } from './say'
import { becomeReal, choose, currentKey, findFirstSession, isDraft, loadSessions, startDraft } from './sessions'
import { loadTasks } from './tasks'
import { loadTimeline } from './timeline'
import { side } from './view'

/** `back` is `live` for the moment after it was lost, so that it can be said. */
export const connection = signal<'idle' | 'connecting' | 'live' | 'lost' | 'back'>('idle')
export const startError = signal<string | null>(null)
const BACK_SHOWN_MS = 4_000
/** Other sessions have no stream here; what is shown of them is read this often. */
const LOOK_EVERY_MS = 5_000
const LOOK_AGAIN_MS = 2_000

let unfollow: () => void = () => undefined

function onEvent(key: string, { name, data }: StreamEvent): void {
  if (name === 'message') {
    addMessages([data as Message])
    if ((data as Message).source_kind === 'automation') reloadAutomationsSoon()
  } else if (name === 'turn') onTurn(key, data as TurnEventData)
  else if (name === 'delta' && !ownTurns.has((data as DeltaData).turn_id)) addDelta(data as DeltaData)
  else if (name === 'promise') onPromise(data as PromiseEventData, key)
  else if (name === 'run') reloadRunsSoon()
  else if (name === 'resync') void readAnew(key)
}

function onTurn(key: string, turn: TurnEventData): void {
  noteTurn(key, turn)
  if (turn.state !== 'ended') return
  reloadAutomationsSoon()
  if (side.value === 'tasks') void loadTasks()
}

function onPromise(event: PromiseEventData, key: string): void {
  applyPromise(event, key)
  if (event.kind === 'run') reloadRunsSoon()
  if (event.kind === 'automation') reloadAutomationsSoon()
  if (event.state !== 'pending' && side.value === 'timeline') void loadTimeline()
}

async function readAnew(key: string): Promise<void> {
  await Promise.all([loadConversation(key), loadPromises(), loadRuns(), loadAutomations()])
}

function follow(key: string, from?: 'start'): void {
  unfollow()
  connection.value = 'connecting'
  unfollow = followSession(
    key,
    {
      async onOpen(resumed) {
        const wasLost = connection.value === 'lost'
        connection.value = wasLost ? 'back' : 'live'
        if (wasLost) setTimeout(() => connection.value === 'back' && (connection.value = 'live'), BACK_SHOWN_MS)
        // Without an id the stream began at the present: what was said before it is read now, and known by its id.
        if (!resumed || wasLost) await readAnew(key).catch(() => undefined)
        confirmOutgoing()
      },
      onEvent: (event) => onEvent(key, event),
      onLost: () => (connection.value = 'lost'),
      onRefused: (error) => {
        connection.value = 'idle'
        if (error.status === 404) void leave()
      },
    },
    from,
  )
}

/** Shows a session: its rows first, then what comes. */
export async function open(key: string): Promise<void> {
  choose(key)
  clear()
  loadState.value = 'loading'
  follow(key)
  await load(key)
}

export async function load(key: string): Promise<void> {
  try {
    loadState.value = 'loading'
    await loadConversation(key)
    loadState.value = 'ready'
  } catch {
    if (currentKey.value === key) loadState.value = 'failed'
  }
}

export function openDraft(): void {
  unfollow()
  connection.value = 'idle'
  clear()
  startDraft()
  loadState.value = 'ready'
}

export async function sayHere(text: string): Promise<void> {
  const key = currentKey.value
  if (key === null) return
  const wasDraft = isDraft.value
  await say({ key, isNew: wasDraft }, text, () => {
    if (!wasDraft || !isDraft.value || currentKey.value !== key) return
    void becomeReal(key, text)
    follow(key, 'start')
  })
  void loadSessions().catch(() => undefined)
  await confirmByHistory(key)
}

/** Whether it arrived is in the history; one that cannot be read is asked for again. */
async function confirmByHistory(key: string): Promise<void> {
  const isOpen = () => currentKey.value === key && outgoing.value.some(({ state }) => state === 'unconfirmed')
  while (isOpen()) {
    const isAbsent = (error: unknown) => error instanceof ApiError && error.status === 404
    const known = await loadConversation(key).then(() => true, isAbsent)
    if (known) confirmOutgoing()
    else await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** After the open session is gone. */
export async function leave(): Promise<void> {
  unfollow()
  await start()
}

export async function start(): Promise<void> {
  startError.value = null
  try {
    void loadAbout()
    await open(await findFirstSession())
  } catch (error) {
    startError.value = messageOf(error)
  }
}

export function signOut(): void {
  keepToken(null)
}

/** Whoever is signed in sees their desk; whoever is not any more leaves nothing behind on the screen. */
export function startDesk(): void {
  effect(() => {
    const signedIn = token.value !== null
    untracked(() => {
      if (signedIn) return void start()
      unfollow()
      clear()
      currentKey.value = null
      connection.value = 'idle'
    })
  })
  effect(() => {
    if (token.value === null || currentKey.value === null) return
    void [scope.value, isDraft.value]
    untracked(() => void Promise.all([loadPromises(), loadRuns(), loadAutomations()]).catch(() => undefined))
  })
  setInterval(look, LOOK_EVERY_MS)
}

function look(): void {
  if (token.value === null || document.hidden) return
  if (scope.value === 'all') void Promise.all([loadPromises(), loadRuns()]).catch(() => undefined)
  if (side.value === 'timeline') void loadTimeline()
}

import { signal } from '@preact/signals'
import { api, query, sessionPath } from '../api'
import type { DeltaData, Message, ToolCall, TurnEventData } from '../types'
import { currentKey } from './sessions'

const PAGE = 50

/** What the person has said that no row shows yet. */
export interface Outgoing {
  localId: number
  text: string
  /** The newest message when it was sent; its own comes after that. */
  after: number
  turnId: string | null
  state: 'sending' | 'accepted' | 'unconfirmed' | 'failed'
  problem: string | null
}

/** An answer as it is written. `whole` is false when its beginning was missed. */
export interface Writing {
  text: string
  whole: boolean
}

export const messages = signal<ReadonlyMap<number, Message>>(new Map())
export const outgoing = signal<readonly Outgoing[]>([])
export const writing = signal<ReadonlyMap<string, Writing>>(new Map())
export const toolCalls = signal<ReadonlyMap<string, ToolCall[]>>(new Map())
export const hasOlder = signal(false)
export const loadState = signal<'loading' | 'ready' | 'failed'>('loading')

/** Turns whose text comes with the answer to our own request: the stream's copy of it is left aside. */
export const ownTurns = new Set<string>()

export function clear(): void {
  messages.value = new Map()
  outgoing.value = []
  writing.value = new Map()
  toolCalls.value = new Map()
  hasOlder.value = false
  ownTurns.clear()
}

/** An answer that comes after the person went to another conversation belongs nowhere on the screen. */
const isOpen = (key: string) => currentKey.value === key

export const newestId = () => Math.max(0, ...messages.value.keys())

export function addMessages(added: Message[]): void {
  const all = new Map(messages.value)
  for (const message of added) all.set(message.id, message)
  messages.value = new Map([...all].sort(([one], [other]) => one - other))
  for (const message of added) settle(message)
}

function settle(message: Message): void {
  if (message.role === 'assistant') {
    if (message.turn_id !== null) setWriting(message.turn_id, null)
    return
  }
  const isIt = (mine: Outgoing) =>
    mine.turnId === null ? mine.text === message.content && message.id > mine.after : mine.turnId === message.turn_id
  const found = outgoing.value.find(isIt)
  if (found) outgoing.value = outgoing.value.filter((mine) => mine !== found)
}

const isAnswered = (turnId: string) =>
  [...messages.value.values()].some((message) => message.role === 'assistant' && message.turn_id === turnId)

export function setWriting(turnId: string, value: Writing | null): void {
  const next = new Map(writing.value)
  // A late piece of a text whose finished message is there already.
  if (value && !isAnswered(turnId)) next.set(turnId, value)
  else next.delete(turnId)
  writing.value = next
}

export function addDelta({ turn_id: turnId, text }: DeltaData): void {
  const known = writing.value.get(turnId)
  setWriting(turnId, { text: (known?.text ?? '') + text, whole: known?.whole ?? false })
}

export function noteTurn(key: string, { turn_id: turnId, state }: Pick<TurnEventData, 'turn_id' | 'state'>): void {
  if (state === 'started' && !writing.value.has(turnId)) setWriting(turnId, { text: '', whole: true })
  if (state !== 'ended') return
  void loadToolCalls(key, turnId).catch(() => undefined)
  void giveWay(key, turnId)
}

/** What was read as it was written stays until the message that it became is there, so that nothing jumps. */
async function giveWay(key: string, turnId: string): Promise<void> {
  if (writing.value.get(turnId)?.text && !isAnswered(turnId)) await loadConversation(key).catch(() => undefined)
  if (isOpen(key)) setWriting(turnId, null)
}

export function addToolCalls(calls: ToolCall[]): void {
  const next = new Map(toolCalls.value)
  for (const call of calls) {
    const others = (next.get(call.turn_id) ?? []).filter(({ id }) => id !== call.id)
    next.set(call.turn_id, [...others, call])
  }
  toolCalls.value = next
}

async function loadToolCalls(key: string, turnId?: string): Promise<void> {
  const path = `${sessionPath(key)}/tool-calls${query({ turn_id: turnId, limit: 200 })}`
  const { tool_calls: calls } = await api<{ tool_calls: ToolCall[] }>(path)
  if (isOpen(key)) addToolCalls(calls)
}

/** The newest page, and what was called in it. Rows that are known already stay as they are. */
export async function loadConversation(key: string): Promise<void> {
  const path = `/api/ai/messages${query({ session_key: key, limit: PAGE })}`
  const [{ messages: page }] = await Promise.all([
    api<{ messages: Message[] }>(path),
    loadToolCalls(key).catch(() => undefined),
  ])
  if (!isOpen(key)) return
  const isFirst = messages.value.size === 0
  addMessages(page)
  if (isFirst) hasOlder.value = page.length === PAGE
  const last = page.at(-1)
  // The person has the last word: their turn is waiting or running.
  if (last?.role === 'user' && last.turn_id !== null && !writing.value.has(last.turn_id)) {
    setWriting(last.turn_id, { text: '', whole: false })
  }
}

export async function loadOlder(key: string): Promise<void> {
  const before = Math.min(...messages.value.keys())
  const path = `/api/ai/messages${query({ session_key: key, limit: PAGE, before_id: before })}`
  const { messages: page } = await api<{ messages: Message[] }>(path)
  if (!isOpen(key)) return
  addMessages(page)
  hasOlder.value = page.length === PAGE
}

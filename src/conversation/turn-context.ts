import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import type { HistoryMessage } from './message'
import type { JsonValue, SourceKind } from '../contracts/words'
import type { ModelMessage } from '../planner/model'
import { WINDOW } from './memory'
import type { Memory } from './memory'
import type { MemoryStore, SessionMemory } from './sql/memory-store'
import type { MessageStore } from './sql/message-store'
import type { ToolCallStore, ToolCallView } from './sql/tool-call-store'
import type { HeldTurn } from './turn-gate'
import { storableText } from '../engine/storable'

/** Calls of earlier turns that the model is shown, the newest. */
const SHOWN_CALLS = 30
/** So many messages are shown in excerpts while no summary holds them, of so many characters all together. */
const EXCERPTS = 1_000
const EXCERPT_CHARACTERS = 20_000
const RESULT_CHARACTERS = 1_200

/** What a message was that is no answer to what was said before it. */
const MARKS: Partial<Record<SourceKind, string>> = {
  scheduled_send: 'reminder that was due',
  plugin_feedback: 'result of a tool that ran by itself',
  automation: 'automation',
  push: 'message pushed by a program',
}

export interface ContextParts {
  messages: MessageStore
  memories: MemoryStore
  memory: Pick<Memory, 'refresh' | 'catchUp'>
  toolCalls: ToolCallStore
}

/**
 * What the model is told of the conversation: all that no summary holds yet, and at least the newest, word by word; what
 * is before it, as it is remembered. What is dropped from here has been summarised before, or is shown in excerpts.
 */
export async function readContext(
  parts: ContextParts,
  { id: turnId, session: { sessionKey, timezone } }: HeldTurn,
  { instruction, signal }: { instruction?: string; signal: AbortSignal },
): Promise<{ memory: string; history: ModelMessage[] }> {
  const newest = await parts.messages.latest(sessionKey, { limit: WINDOW.most + 1 })
  const remembered = await remember(parts, sessionKey, newest, signal)
  const upto = remembered?.uptoMessageId ?? 0
  const window = newest.slice(-WINDOW.most)
  const said = window.filter(({ id }, at) => id > upto || at >= window.length - WINDOW.kept)
  const isCut = window.length < newest.length && newest[0]!.id > upto
  const excerpts = isCut ? await readExcerpts(parts.messages, sessionKey, { upto, beforeId: window[0]!.id }) : []
  const calls = await parts.toolCalls.list(sessionKey, { limit: SHOWN_CALLS })
  const earlier = calls.filter((call) => call.turnId !== turnId)
  const shown = instruction === undefined ? said : said.filter((message) => message.turnId !== turnId)
  const history = toModelMessages(shown, earlier, timezone)
  if (instruction !== undefined) history.push({ role: 'user', content: instruction })
  return { memory: [remembered?.summary ?? '', ...excerpts].join('\n').trim(), history }
}

/** The summary as it is; when more has come in than is shown word by word, as it is after what was missing. */
async function remember(
  { memories, memory }: ContextParts,
  sessionKey: string,
  newest: HistoryMessage[],
  signal: AbortSignal,
): Promise<SessionMemory | null> {
  const remembered = await memories.find(sessionKey)
  const open = newest.filter(({ id }) => id > (remembered?.uptoMessageId ?? 0)).length
  if (open > WINDOW.most) {
    await memory.catchUp(sessionKey, signal)
    return memories.find(sessionKey)
  }
  if (open > WINDOW.full) memory.refresh(sessionKey)
  return remembered
}

/** The beginnings of what stands between the summary and the window, when no summary could be made in time. */
async function readExcerpts(
  messages: MessageStore,
  sessionKey: string,
  { upto, beforeId }: { upto: number; beforeId: number },
): Promise<string[]> {
  const before = await messages.latest(sessionKey, { limit: EXCERPTS, beforeId })
  const between = before.filter(({ id }) => id > upto)
  const characters = Math.floor(EXCERPT_CHARACTERS / between.length)
  const lines = between.map(({ role, content }) => `${role}: ${content.slice(0, characters)}`)
  return ['After that, in excerpts:', ...lines]
}

/** What was said and what tools did about it, as the model reads it. */
export function toModelMessages(said: HistoryMessage[], calls: ToolCallView[], zone: string): ModelMessage[] {
  return said.flatMap((message) => {
    const { role, turnId } = message
    const made = role === 'assistant' && turnId !== null ? calls.filter((call) => call.turnId === turnId) : []
    return [...showCalls(made), { role, content: markOf(message, zone) + message.content }]
  })
}

/** In brackets at the beginning, as the prompt explains. */
export function markOf({ sourceKind, createdAt }: HistoryMessage, zone: string): string {
  const mark = MARKS[sourceKind]
  return mark === undefined
    ? ''
    : `[${mark}, ${DateTime.fromJSDate(createdAt, { zone }).toFormat('yyyy-MM-dd HH:mm')}]\n`
}

function showCalls(calls: ToolCallView[]): ModelMessage[] {
  if (calls.length === 0) return []
  const toolCalls = calls.map((call) => ({
    id: idOf(call),
    name: call.name,
    arguments: JSON.stringify(shorten(argumentsOf(call.arguments))),
  }))
  const results = calls.map((call): ModelMessage => {
    const content = JSON.stringify(shorten(call.result ?? INTERRUPTED))
    return { role: 'tool', toolCallId: idOf(call), content: content.slice(0, RESULT_CHARACTERS) }
  })
  return [{ role: 'assistant', content: '', toolCalls }, ...results]
}

const INTERRUPTED = { success: false, reason: 'interrupted' }

/** What the model wrote was not always an object. */
const argumentsOf = (value: JsonValue) => (typeof value === 'object' && !Array.isArray(value) ? value : {})

/** Servers count their ids anew each turn, and some take nine letters and digits alone. */
const idOf = ({ turnId, callId }: ToolCallView) =>
  createHash('sha256').update(`${turnId}/${callId}`).digest('hex').slice(0, 9)

const TEXT_CHARACTERS = 200
const LIST_ITEMS = 5
const FIELDS = 20

/** The same JSON with long texts and lists cut, for what is only remembered. */
function shorten(value: JsonValue, depthLeft = 4): JsonValue {
  if (typeof value === 'string') return shortenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depthLeft === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, LIST_ITEMS).map((item) => shorten(item, depthLeft - 1))
  const fields = Object.entries(value).slice(0, FIELDS)
  return Object.fromEntries(fields.map(([name, field]) => [name, shorten(field, depthLeft - 1)]))
}

function shortenText(text: string): string {
  return text.length <= TEXT_CHARACTERS ? text : `${storableText(text.slice(0, TEXT_CHARACTERS))}…`
}

import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import type { HistoryMessage } from './message'
import type { JsonValue, SourceKind } from '../contracts/words'
import type { ModelMessage } from '../planner/model'
import { shorten } from '../planner'
import type { ToolCallView } from './sql/tool-call-store'

/** Calls of earlier turns that the model is shown, the newest. */
export const SHOWN_CALLS = 30
const RESULT_CHARACTERS = 1_200

/** What a message was that is no answer to what was said before it. */
const MARKS: Partial<Record<SourceKind, string>> = {
  scheduled_send: 'reminder that was due',
  plugin_feedback: 'result of a tool that ran by itself',
  automation: 'automation',
  push: 'message pushed by a program',
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

import { randomUUID } from 'node:crypto'
import type { ModelAnswer, ModelToolCall, TokenUsage } from './model'
import { ModelError } from './model'

/** The parts of a streamed chunk we read. Servers differ, so everything may be missing. */
export interface CompletionChunk {
  choices?: { delta?: CompletionDelta | null; message?: CompletionDelta | null; finish_reason?: string | null }[] | null
  usage?: ChunkUsage | null
}

interface ChunkUsage {
  prompt_tokens?: number | null
  completion_tokens?: number | null
  prompt_tokens_details?: { cached_tokens?: number | null } | null
}

export interface CompletionDelta {
  content?: string | null
  refusal?: string | null
  tool_calls?: ToolCallDelta[] | null
}

export interface ToolCallDelta {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: unknown } | null
}

interface Draft {
  index: number | undefined
  id: string
  name: string
  arguments: string
}

/** Puts a streamed (or whole) completion together; `finish` gives it out only if it arrived whole. */
export function createAssembly(onText: (text: string) => void) {
  let content = ''
  let finishReason: string | undefined
  let usage: TokenUsage | undefined
  const drafts: Draft[] = []
  return {
    add(chunk: CompletionChunk): void {
      usage = readUsage(chunk.usage) ?? usage
      const choice = chunk.choices?.[0]
      if (!choice) return
      const delta = choice.delta ?? choice.message
      const text = delta?.content ?? delta?.refusal
      if (typeof text === 'string' && text !== '') {
        content += text
        onText(text)
      }
      for (const call of delta?.tool_calls ?? []) addToolCall(drafts, call)
      finishReason = choice.finish_reason ?? finishReason
    },
    finish(): ModelAnswer {
      const unfinishedCall = finishReason === 'length' && drafts.length > 0
      if (finishReason === undefined || unfinishedCall) {
        throw new ModelError('model_cut_off', 'the model stopped in the middle of its answer')
      }
      const isCutShort = finishReason === 'length'
      return { content, toolCalls: drafts.map(toToolCall), ...(isCutShort && { isCutShort }), ...(usage && { usage }) }
    },
  }
}

/** Comes with the last chunk, or with every one. */
function readUsage(usage: ChunkUsage | null | undefined): TokenUsage | undefined {
  if (!Number.isInteger(usage?.prompt_tokens) || !Number.isInteger(usage?.completion_tokens)) return undefined
  return {
    promptTokens: usage?.prompt_tokens ?? 0,
    completionTokens: usage?.completion_tokens ?? 0,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  }
}

function addToolCall(drafts: Draft[], delta: ToolCallDelta): void {
  const text = argumentsText(delta.function?.arguments)
  let draft = findDraft(drafts, delta)
  if (!draft || startsAnother(draft, delta, text)) {
    draft = { index: delta.index ?? undefined, id: '', name: '', arguments: '' }
    drafts.push(draft)
  }
  draft.id ||= delta.id ?? ''
  draft.name ||= delta.function?.name ?? ''
  draft.arguments += text
}

/** By index; without one a known id, else the call that was written last. The newest of an index is meant. */
function findDraft(drafts: Draft[], { index, id }: ToolCallDelta): Draft | undefined {
  if (typeof index === 'number') return drafts.findLast((draft) => draft.index === index)
  return id ? drafts.find((draft) => draft.id === id) : drafts.at(-1)
}

/** Some servers give every call the index 0: another id, or a name after whole arguments, begins a new call. */
function startsAnother(draft: Draft, delta: ToolCallDelta, text: string): boolean {
  if (delta.id && draft.id && delta.id !== draft.id) return true
  if (delta.id && draft.id) return false
  return Boolean(delta.function?.name) && text !== '' && isWholeJson(draft.arguments)
}

function argumentsText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Ids that are missing or could not be stored are replaced; names are what providers accept when they come back. */
function toToolCall(draft: Draft): ModelToolCall {
  const usableId = /^[\x21-\x7e]{1,200}$/.test(draft.id)
  return {
    id: usableId ? draft.id : `call_${randomUUID().replaceAll('-', '')}`,
    name: draft.name.replaceAll(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 64) || 'unnamed',
    arguments: draft.arguments,
  }
}

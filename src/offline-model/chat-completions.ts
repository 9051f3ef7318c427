import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { toConversation } from './conversation'
import type { Conversation, SaidMessage, Step } from './conversation'
import { readObject } from './result-fields'
import { fieldsOf, ProtocolError, readBodyFields, sendJson } from './wire'

interface ChatRequest {
  conversation: Conversation
  /** The names of the tools the request offers. */
  tools: ReadonlySet<string>
  stream: boolean
  includeUsage: boolean
}

const ROLES: Record<string, SaidMessage['role'] | undefined> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
}

/** Reads the body of `POST /v1/chat/completions`; what is wrong is said as OpenAI says it. */
export function readChatRequest(text: string): ChatRequest {
  const body = readBodyFields(text)
  const messages = body['messages']
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new ProtocolError(400, 'messages must be a list with at least one message', 'messages')
  }
  const tools = body['tools'] ?? []
  if (!Array.isArray(tools)) throw new ProtocolError(400, 'tools must be a list', 'tools')
  const offered = body['tool_choice'] === 'none' ? [] : tools
  return {
    conversation: toConversation(messages.map(readMessage)),
    tools: new Set(offered.map(toolName)),
    stream: body['stream'] === true,
    includeUsage: fieldsOf(body['stream_options'])['include_usage'] === true,
  }
}

function readMessage(value: unknown, at: number): SaidMessage {
  const message = fieldsOf(value)
  const role = typeof message['role'] === 'string' ? ROLES[message['role']] : undefined
  if (!role) throw new ProtocolError(400, `messages[${at}].role is none we know`, `messages[${at}].role`)
  const calls: unknown = message['tool_calls']
  const toolCallId = message['tool_call_id']
  return {
    role,
    text: readContent(message['content'], at),
    toolCalls: Array.isArray(calls) ? calls.map(readToolCall) : [],
    toolCallId: typeof toolCallId === 'string' ? toolCallId : undefined,
  }
}

/** Text, or a list of parts of which the text is read. */
function readContent(content: unknown, at: number): string {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  if (!Array.isArray(content)) {
    throw new ProtocolError(400, `messages[${at}].content must be text or a list of parts`, `messages[${at}].content`)
  }
  return content
    .map((part) => fieldsOf(part)['text'])
    .filter((part) => typeof part === 'string')
    .join('\n')
}

function readToolCall(value: unknown): SaidMessage['toolCalls'][number] {
  const call = fieldsOf(value)
  const wanted = fieldsOf(call['function'])
  return {
    id: textOf(call['id']),
    name: textOf(wanted['name']),
    arguments: readObject(textOf(wanted['arguments'])),
  }
}

const toolName = (tool: unknown): string => textOf(fieldsOf(fieldsOf(tool)['function'])['name'])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const MODEL_NAME = 'punctual-offline'

interface WrittenCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** Writes what the rules decided as a completion, whole or as a stream. */
export function sendCompletion(response: ServerResponse, { stream, includeUsage }: ChatRequest, step: Step): void {
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: MODEL_NAME }
  const text = 'text' in step ? step.text : null
  const calls = 'calls' in step ? step.calls.map(writeCall) : undefined
  const finishReason = calls ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  if (!stream) {
    const message = { role: 'assistant', content: text, ...(calls && { tool_calls: calls }) }
    const choices = [{ index: 0, message, finish_reason: finishReason, logprobs: null }]
    return sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (chunk: object) => {
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  }
  for (const delta of deltas(text, calls)) send({ choices: [{ index: 0, delta, finish_reason: null }] })
  send({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] })
  if (includeUsage) send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

function* deltas(text: string | null, calls: WrittenCall[] | undefined): Generator<object> {
  yield { role: 'assistant', content: text === null ? null : '' }
  // A few characters at a time, never half of one.
  for (const content of text?.match(/.{1,12}/gsu) ?? []) yield { content }
  for (const [index, call] of (calls ?? []).entries()) {
    yield { tool_calls: [{ ...call, index, function: { name: call.function.name, arguments: '' } }] }
    yield { tool_calls: [{ index, function: { arguments: call.function.arguments } }] }
  }
}

function writeCall({ name, arguments: args }: { name: string; arguments: object }): WrittenCall {
  return {
    id: `call_${randomUUID().replaceAll('-', '')}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }
}

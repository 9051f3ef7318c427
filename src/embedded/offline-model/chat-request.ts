import { fieldsOf, readBodyFields } from './body-fields'
import type { Conversation, SaidMessage } from './conversation'
import { readObject, toConversation } from './conversation'
import { ProtocolError } from './wire'

export interface ChatRequest {
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

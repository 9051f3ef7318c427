import type { JsonObject, Language } from '../../contracts/words'

/** A message of the protocol, reduced to what the rules read. */
export interface SaidMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  toolCalls: { id: string; name: string; arguments: JsonObject }[]
  toolCallId: string | undefined
}

/** A call made since the person last spoke, and what came back. */
export interface CallResult {
  name: string
  arguments: JsonObject
  result: JsonObject
}

/** What the rules know: the person's last words, what has been done about them, and what was said before. */
export interface Conversation {
  text: string
  language: Language
  results: CallResult[]
  /** Before the last words, oldest first. */
  earlier: { role: 'user' | 'assistant'; text: string }[]
  facts: SystemFacts
  /** The prompts, for requests that are no chat. */
  system: string
}

/** The lines every prompt of ours carries; another client's prompt may have none of them. */
export interface SystemFacts {
  now: string | undefined
  weekday: string | undefined
  timezone: string | undefined
  language: Language | undefined
  pipeline: string | undefined
  isGroup: boolean
}

export function toConversation(messages: SaidMessage[]): Conversation {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ text }) => text)
    .join('\n')
  const facts = readFacts(system)
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const text = messages[lastUser]?.text.trim() ?? ''
  return {
    text,
    // The tasks profile speaks Chinese alone.
    language: facts.pipeline === 'tasks' ? 'zh' : (languageOf(text) ?? facts.language ?? 'zh'),
    results: readResults(messages.slice(lastUser + 1)),
    earlier: messages.slice(0, Math.max(lastUser, 0)).flatMap(({ role, text: said }) => {
      return role === 'user' || role === 'assistant' ? [{ role, text: said }] : []
    }),
    facts,
    system,
  }
}

function languageOf(text: string): Language | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  return /[a-z]/i.test(text) ? 'en' : undefined
}

function readResults(messages: SaidMessage[]): CallResult[] {
  const calls = new Map(messages.flatMap(({ toolCalls }) => toolCalls.map((call) => [call.id, call] as const)))
  return messages.flatMap(({ role, toolCallId, text }) => {
    const call = role === 'tool' && toolCallId !== undefined ? calls.get(toolCallId) : undefined
    return call ? [{ name: call.name, arguments: call.arguments, result: readObject(text) }] : []
  })
}

function readFacts(system: string): SystemFacts {
  const line = (label: string) => lineOf(system, label)
  const clock = /^(\d{4}-\d\d-\d\d \d\d:\d\d)(?::\d\d)?.*?(?:\((.+)\))?$/.exec(line('Now') ?? '')
  const language = line('Language')
  return {
    now: clock?.[1],
    weekday: clock?.[2],
    timezone: line('Time zone'),
    language: language === 'zh' || language === 'en' ? language : undefined,
    pipeline: line('Pipeline'),
    isGroup: line('Conversation') === 'group',
  }
}

/** What a text says after a label at the beginning of a line. */
export function lineOf(text: string, label: string): string | undefined {
  return new RegExp(`^${label}:[ \\t]*(.+)$`, 'm').exec(text)?.[1]?.trim()
}

/** A result that was cut or is no JSON still counts as an answer, without fields. */
export function readObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as unknown
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { JsonObject, Language } from '../contracts/words'
import { readObject } from './result-fields'

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

export interface DraftCall {
  name: string
  arguments: JsonObject
}

/** What the model does next: speak, or call tools and be asked again with their results. */
export type Step = { text: string } | { calls: DraftCall[] }

/**
 * One thing a person may want. It is asked anew each round and reads from the conversation what was done already;
 * undefined means that it is not meant, or that the results speak for themselves.
 */
export type Intent = (conversation: Conversation, tools: ReadonlySet<string>) => Step | undefined

export const say = (conversation: { language: Language }, texts: Record<Language, string>): Step => ({
  text: texts[conversation.language],
})

export const call = (name: string, args: JsonObject = {}): Step => ({ calls: [{ name, arguments: args }] })

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
      // A message that only calls tools says nothing.
      return role === 'user' || (role === 'assistant' && said !== '') ? [{ role, text: said }] : []
    }),
    facts,
    system,
  }
}

/** What we said last; empty at the beginning. */
export function lastAnswer({ earlier }: Pick<Conversation, 'earlier'>): string {
  return earlier.findLast(({ role }) => role === 'assistant')?.text ?? ''
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

/** Prompts that ask for words name the language in words, as a model is best told. */
export function languageNamed(text: string): Language {
  return lineOf(text, 'Language') === 'English' ? 'en' : 'zh'
}

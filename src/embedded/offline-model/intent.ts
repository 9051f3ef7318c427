import type { JsonObject, Language } from '../../contracts/words'
import type { Conversation } from './conversation'

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

import type { Conversation } from './conversation'
import type { Step } from './intent'
import { INTENTS } from './intents'
import { fallback } from './intents/fallback'
import { phraseResults } from './phrase-results'

/** The first intent that knows what to do; else the tool results in words; else that it was not understood. */
export function respond(conversation: Conversation, tools: ReadonlySet<string>): Step {
  for (const intent of INTENTS) {
    const step = intent(conversation, tools)
    if (step) return step
  }
  if (conversation.results.length > 0) return { text: phraseResults(conversation.results, conversation.language) }
  return fallback(conversation)
}

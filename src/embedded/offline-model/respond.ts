import { answerDueTurn, dueInstruction } from './automations/due-turn'
import type { Conversation } from './conversation'
import { doDuty } from './duties'
import type { Intent, Step } from './intent'
import { ACTING, TALKING } from './intents'
import { fallback } from './intents/fallback'
import { phraseResults } from './phrase-results'

/** Longer than anything the rules are made for; they are not even asked. */
const LONGEST_TEXT = 2_000

/** A duty, if it is no chat; else what is to be done; else what was done, in words; else some talk; else that it was not understood. */
export function respond(conversation: Conversation, tools: ReadonlySet<string>): Step {
  const duty = doDuty(conversation)
  if (duty !== undefined) return { text: duty }
  const due = dueInstruction(conversation.text)
  if (due !== undefined) return answerDueTurn(due, conversation, tools)
  const ask = (intents: readonly Intent[]) => firstOf(intents, conversation, tools)
  const { results, language, text } = conversation
  const isReadable = text.length <= LONGEST_TEXT
  const action = isReadable ? ask(ACTING) : undefined
  if (action) return action
  if (results.length > 0) return { text: phraseResults(results, language) }
  return (isReadable ? ask(TALKING) : undefined) ?? fallback(conversation)
}

function firstOf(intents: readonly Intent[], conversation: Conversation, tools: ReadonlySet<string>) {
  for (const intent of intents) {
    const step = intent(conversation, tools)
    if (step) return step
  }
  return undefined
}

import type { Conversation } from '../conversation'
import { completeArguments } from './complete-arguments'
import { writeHtmlPage } from './html-page'
import { summarizeMemory } from './memory-summary'
import { phraseProgress } from './progress'
import { phraseRunResult } from './run-result'

/** Requests of ours that are no chat, known by their prompt; asked before anything else. */
const DUTIES: readonly [RegExp, (conversation: Conversation) => string][] = [
  [/^Task: html_page$/m, writeHtmlPage],
  [/^You write one progress message\b/, phraseProgress],
  [/^You tell a person the outcome\b/, phraseRunResult],
  [/^You keep the memory of a long conversation\b/, summarizeMemory],
  [/^You complete the arguments of one step\b/, completeArguments],
]

export function doDuty(conversation: Conversation): string | undefined {
  return DUTIES.find(([prompt]) => prompt.test(conversation.system))?.[1](conversation)
}

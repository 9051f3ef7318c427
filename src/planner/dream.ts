import type { Logger } from 'pino'
import type { HistoryMessage } from '../contracts/message'
import { errorCode } from '../errors'
import type { MemoryStore } from '../store/memory-store'
import type { Model } from './model'
import { loadPrompt, renderTemplate } from './prompts'

const SESSIONS_A_PASS = 50
/** Fewer than this are not worth a summary yet. */
const ENOUGH_MESSAGES = 20
const MESSAGES_A_SUMMARY = 100
const MESSAGE_CHARACTERS = 1_000
const SUMMARY_CHARACTERS = 4_000
const MODEL_MS = 60_000

export type Dream = (signal: AbortSignal, onBeat: () => void) => Promise<{ summarised: number; failed: number }>

export interface DreamParts {
  memories: MemoryStore
  model: Model
  /** How many of the newest messages the planner is shown word by word. */
  shownMessages: number
  logger: Logger
}

/** Consolidates what the planner is no longer shown into a summary that it reads. A failure leaves all as it was. */
export function createDream({ memories, model, shownMessages, logger }: DreamParts): Dream {
  async function summarise(sessionKey: string, signal: AbortSignal): Promise<boolean> {
    const before = await memories.find(sessionKey)
    const messages = await memories.listForgotten(sessionKey, shownMessages, MESSAGES_A_SUMMARY)
    const last = messages.at(-1)
    if (!last) return false
    const prompt = loadPrompt('memory_summary')
    const user = renderTemplate(prompt.user ?? '', { memory: before?.summary ?? '-', messages: transcriptOf(messages) })
    const { content } = await model.complete({
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: user },
      ],
      tools: [],
      signal: AbortSignal.any([signal, AbortSignal.timeout(MODEL_MS)]),
    })
    const summary = content.trim().slice(0, SUMMARY_CHARACTERS)
    return summary !== '' && memories.write(sessionKey, { summary, uptoMessageId: last.id })
  }

  return async (signal, onBeat) => {
    let summarised = 0
    let failed = 0
    for (const sessionKey of await memories.listLong(shownMessages, ENOUGH_MESSAGES, SESSIONS_A_PASS)) {
      signal.throwIfAborted()
      onBeat()
      try {
        if (await summarise(sessionKey, signal)) summarised += 1
      } catch (error) {
        failed += 1
        logger.warn({ sessionKey, code: errorCode(error) }, 'a conversation could not be summarised')
      }
    }
    return { summarised, failed }
  }
}

function transcriptOf(messages: HistoryMessage[]): string {
  return messages.map(({ role, content }) => `${role}: ${content.slice(0, MESSAGE_CHARACTERS)}`).join('\n')
}

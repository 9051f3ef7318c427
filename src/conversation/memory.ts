import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { HistoryMessage } from './message'
import { errorCode } from '../errors'
import type { MemoryStore } from './sql/memory-store'
import type { Model } from '../planner/model'
import { loadPrompt, renderTemplate } from '../planner'

/**
 * How many messages the model is shown word by word: at least `kept` and all that no summary holds yet. From `full` on
 * they are summarised while the turn runs. Beyond `most` the turn waits for the summary, and what none holds then is shown
 * in excerpts.
 */
export const WINDOW = { kept: 20, full: 40, most: 120 } as const

const SESSIONS_A_PASS = 50
const MESSAGES_A_SUMMARY = 100
/** A history from before there were summaries is caught up in so many steps at once. */
const STEPS_A_PASS = 10
const MESSAGE_CHARACTERS = 1_000
const SUMMARY_CHARACTERS = 4_000
const MODEL_MS = 60_000
/** A person who waits for an answer waits so long for a summary. */
const CATCH_UP_MS = 20_000

export interface Memory {
  /** Summarises what is about to leave the window, in the background: nobody waits for it, and until it is there all is shown. */
  refresh(sessionKey: string): void
  /** The same, waited for: too much has come in that no turn has looked at. It ends in time, done or not. */
  catchUp(sessionKey: string, signal: AbortSignal): Promise<void>
  /** The same for all sessions that need it; those whose turns failed at it. */
  dream(signal: AbortSignal, onBeat: () => void): Promise<{ summarised: number; failed: number }>
  /** Ends what runs in the background. */
  close(): Promise<void>
}

export type Dream = Memory['dream']

export interface MemoryParts {
  memories: MemoryStore
  model: Model
  logger: Logger
}

/** Consolidates what the planner will no longer be shown into a summary that it reads. A failure leaves all as it was. */
export function createMemory({ memories, model, logger }: MemoryParts): Memory {
  const running = new Map<string, Promise<unknown>>()
  const closing = new AbortController()

  async function summariseNext(sessionKey: string, signal: AbortSignal): Promise<boolean> {
    const before = await memories.find(sessionKey)
    const messages = await memories.listForgotten(sessionKey, WINDOW.kept, MESSAGES_A_SUMMARY)
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
      usageOf: { purpose: 'memory', sessionKey, botUuid: await memories.botOf(sessionKey) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(MODEL_MS)]),
    })
    const summary = content.trim().slice(0, SUMMARY_CHARACTERS)
    return summary !== '' && memories.write(sessionKey, { summary, uptoMessageId: last.id })
  }

  async function summarise(sessionKey: string, signal: AbortSignal): Promise<'done' | 'nothing' | 'failed'> {
    try {
      if (!(await summariseNext(sessionKey, signal))) return 'nothing'
      for (let step = 1; step < STEPS_A_PASS; step += 1) if (!(await summariseNext(sessionKey, signal))) break
      return 'done'
    } catch (error) {
      logger.warn({ sessionKey, code: errorCode(error) }, 'a conversation could not be summarised')
      return 'failed'
    }
  }

  function summariseOnce(sessionKey: string): Promise<unknown> {
    const begun = running.get(sessionKey)
    if (begun) return begun
    const work = summarise(sessionKey, closing.signal).finally(() => running.delete(sessionKey))
    running.set(sessionKey, work)
    return work
  }

  return {
    refresh: (sessionKey) => void summariseOnce(sessionKey),
    async catchUp(sessionKey, signal) {
      const limit = sleep(CATCH_UP_MS, undefined, { signal, ref: false }).catch(() => undefined)
      await Promise.race([summariseOnce(sessionKey), limit])
    },
    async dream(signal, onBeat) {
      const outcomes = { done: 0, nothing: 0, failed: 0 }
      const atLeast = WINDOW.full - WINDOW.kept
      for (const sessionKey of await memories.listLong(WINDOW.kept, atLeast, SESSIONS_A_PASS)) {
        signal.throwIfAborted()
        onBeat()
        outcomes[await summarise(sessionKey, signal)] += 1
      }
      return { summarised: outcomes.done, failed: outcomes.failed }
    },
    async close() {
      closing.abort(new Error('the process ends'))
      await Promise.all(running.values())
    },
  }
}

function transcriptOf(messages: HistoryMessage[]): string {
  const line = ({ role, sourceKind, content }: HistoryMessage) =>
    `${role}${sourceKind === 'chat' ? '' : ` (${sourceKind})`}: ${content.slice(0, MESSAGE_CHARACTERS)}`
  return messages.map(line).join('\n')
}

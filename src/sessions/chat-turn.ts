import type { Session } from '../contracts/session'
import type { Language } from '../contracts/words'
import { errorCode } from '../errors'
import type { PlannerOutcome } from '../planner/planner-loop'
import type { TurnStore } from '../store/turn-store'
import { detectLanguage } from '../time/zones'
import type { Chat, ChatInput } from './chat'
import { persist } from './persist'
import type { HeldTurn, TurnGate } from './turn-gate'
import type { TurnRunner } from './turn-runner'
import type { Unwritten, UnwrittenAnswer } from './unwritten'

export interface ChatParts {
  gate: TurnGate
  turns: TurnStore
  runner: TurnRunner
  /** Where an answer waits that PostgreSQL would not take. */
  unwritten: Pick<Unwritten, 'keep'>
  metrics: { turnEnded(origin: string, status: string, seconds: number): void }
}

/** A user's turn from its place in the queue to its answer: gate → runner → history. */
export function createChat(parts: ChatParts): Chat {
  return {
    async send(session, input, listener = {}) {
      const language = languageOf(session, input)
      const turn = await parts.gate.enter(session, {
        origin: 'user',
        input: {
          message: input.message,
          senderId: input.senderId,
          metadata: input.metadata ?? {},
          viaChannel: input.viaChannel,
          chain: input.chain,
        },
        turnId: input.turnId,
        language,
        onQueued: (turnId) => listener.onTurn?.({ turn_id: turnId, state: 'queued', status: 'queued' }),
      })
      const began = Date.now()
      listener.onTurn?.({ turn_id: turn.id, state: 'started', status: 'running' })
      try {
        const outcome = await parts.runner.run(turn, { origin: 'user', language, listener })
        const status = outcome.status === 'answered' ? 'succeeded' : 'failed'
        await store(parts, turn, outcome)
        listener.onTurn?.({ turn_id: turn.id, state: 'ended', status })
        parts.metrics.turnEnded('user', status, (Date.now() - began) / 1000)
        const { content, type, payload, toolCalls } = outcome
        return { content, type, payload, session_key: session.sessionKey, turn_id: turn.id, tool_calls: toolCalls }
      } finally {
        turn.release()
      }
    },
  }
}

/** A history that cannot be written never breaks the reply: it is kept on the disk and written later. */
async function store({ turns, unwritten }: ChatParts, turn: HeldTurn, outcome: PlannerOutcome): Promise<void> {
  const answer = answerOf(turn, outcome)
  try {
    await persist(() => turns.end(answer.sessionKey, answer.turn, answer.result))
  } catch (error) {
    if (errorCode(error) !== 'storage_failed') throw error
    await unwritten.keep(answer)
  }
}

function answerOf(turn: HeldTurn, outcome: PlannerOutcome): UnwrittenAnswer {
  const answered = outcome.status === 'answered'
  return {
    sessionKey: turn.session.sessionKey,
    turn: { turnId: turn.id, fence: turn.fence },
    result: {
      status: answered ? 'succeeded' : 'failed',
      error: outcome.errorCode,
      message: {
        role: 'assistant',
        senderId: turn.session.botUuid,
        content: outcome.content,
        sourceKind: answered ? 'chat' : 'closing',
        type: outcome.type,
        payload: outcome.payload,
      },
    },
  }
}

function languageOf(session: Session, input: ChatInput): Language {
  return session.language ?? detectLanguage(input.message)
}

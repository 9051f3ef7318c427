import type { Session } from '../contracts/session'
import type { Language } from '../contracts/words'
import type { PlannerOutcome } from '../planner/planner-loop'
import type { TurnStore } from '../store/turn-store'
import { detectLanguage } from '../time/zones'
import type { Chat, ChatInput } from './chat'
import { persist } from './persist'
import type { HeldTurn, TurnGate } from './turn-gate'
import type { TurnRunner } from './turn-runner'

export interface ChatParts {
  gate: TurnGate
  turns: TurnStore
  runner: TurnRunner
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
        await persist(() => end(parts, turn, outcome))
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

function end({ turns }: ChatParts, turn: HeldTurn, outcome: PlannerOutcome) {
  const answered = outcome.status === 'answered'
  return turns.end(
    turn.session.sessionKey,
    { turnId: turn.id, fence: turn.fence },
    {
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
  )
}

function languageOf(session: Session, input: ChatInput): Language {
  return session.language ?? detectLanguage(input.message)
}

import { personOf, toError } from '../access'
import type { Admission, TurnRefusal } from '../access/admission'
import { metadataOf } from '../contracts/effect'
import { languageOfPerson } from '../contracts/language'
import { errorCode } from '../errors'
import type { PlannerOutcome } from '../planner/planner-loop'
import type { TurnStore } from './sql/turn-store'
import type { Chat } from './chat'
import { persist } from './persist'
import type { HeldTurn, TurnGate } from './turn-gate'
import type { TurnOutcome, TurnRunner } from './turn-runner'
import type { AnswerSpool, SpooledAnswer } from './answer-spool'

export interface ChatParts {
  gate: TurnGate
  turns: TurnStore
  runner: TurnRunner
  admission: Admission
  /** Where an answer waits that PostgreSQL would not take. */
  spool: Pick<AnswerSpool, 'keep'>
  metrics: { turnEnded(origin: string, status: string, seconds: number): void }
}

/** A user's turn from its place in the queue to its answer: gate → runner → history. */
export function createChat(parts: ChatParts): Chat {
  return {
    async send(session, input, listener = {}) {
      const language = languageOfPerson(session, { words: input.message })
      const { senderId, viaChannel = false } = input
      const refusal = await parts.admission.refuse(session, { senderId, language, viaChannel })
      // Who asked over HTTP is answered there; on a platform the person reads it in the conversation.
      if (refusal && !viaChannel) throw toError(refusal)
      const turn = await parts.gate.enter(session, {
        input: {
          message: input.message,
          senderId: input.senderId,
          metadata: input.metadata ?? {},
          viaChannel: input.viaChannel,
          chain: input.chain,
        },
        turnId: input.turnId,
        onQueued: (turnId) => listener.onTurn?.({ turn_id: turnId, state: 'queued', status: 'queued' }),
      })
      const began = Date.now()
      listener.onTurn?.({ turn_id: turn.id, state: 'started', status: 'running' })
      try {
        const forStranger = viaChannel && (await parts.admission.isStranger(session, senderId))
        const usageOf = { purpose: 'chat', person: personOf(session, senderId) }
        const { settings, instructions } = input
        const decided = refusal
          ? closeRefused(refusal)
          : await input.answer?.(turn.session, { turnId: turn.id, fence: turn.fence })
        const outcome: TurnOutcome =
          decided ??
          (await parts.runner.run(turn, {
            origin: 'user',
            language,
            listener,
            settings,
            instructions,
            usageOf,
            forStranger,
          }))
        const status = outcome.status === 'answered' ? 'succeeded' : 'failed'
        await store(parts, turn, outcome)
        listener.onTurn?.({ turn_id: turn.id, state: 'ended', status })
        parts.metrics.turnEnded('user', status, (Date.now() - began) / 1000)
        const { content, type, payload, effects, toolCalls } = outcome
        const where = { session_key: session.sessionKey, turn_id: turn.id }
        return {
          content,
          type,
          payload,
          effects,
          error_code: outcome.errorCode ?? null,
          ...where,
          tool_calls: toolCalls,
          ...(outcome.isCutShort && { is_cut_short: true }),
          ...(outcome.usage && { usage: outcome.usage }),
        }
      } finally {
        turn.release()
      }
    },
  }
}

function closeRefused({ code, text }: TurnRefusal): PlannerOutcome {
  return { status: 'failed', content: text, type: 'text', payload: null, toolCalls: [], effects: [], errorCode: code }
}

/** A history that cannot be written never breaks the reply: it is kept on the disk and written later. */
async function store({ turns, spool }: ChatParts, turn: HeldTurn, outcome: PlannerOutcome): Promise<void> {
  const answer = answerOf(turn, outcome)
  try {
    await persist(() => turns.end(answer.sessionKey, answer.turn, answer.result))
  } catch (error) {
    if (errorCode(error) !== 'storage_failed') throw error
    await spool.keep(answer)
  }
}

function answerOf(turn: HeldTurn, outcome: PlannerOutcome): SpooledAnswer {
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
        metadata: metadataOf(outcome),
      },
    },
  }
}

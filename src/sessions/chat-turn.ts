import type { Logger } from 'pino'
import type { Session } from '../contracts/session'
import type { Tool } from '../contracts/tool'
import { CLOSING_TEXTS } from '../contracts/turn'
import type { Language } from '../contracts/words'
import { errorCode, TurnLostError } from '../errors'
import type { LiveBus } from '../live/live-bus'
import type { Model, ModelMessage } from '../planner/model'
import { getPipeline, toolsOf } from '../planner/pipelines'
import { runPlannerLoop } from '../planner/planner-loop'
import type { PlannerOutcome } from '../planner/planner-loop'
import { buildSystemPrompt } from '../planner/system-prompt'
import type { MessageStore } from '../store/message-store'
import type { ToolCallStore } from '../store/tool-call-store'
import type { TurnStore } from '../store/turn-store'
import { detectLanguage } from '../time/zones'
import type { Chat, ChatInput, TurnListener } from './chat'
import { persist } from './persist'
import type { HeldTurn, TurnGate } from './turn-gate'

/** How many messages of the conversation the model is shown. */
const CONTEXT_MESSAGES = 40

export interface ChatParts {
  gate: TurnGate
  turns: TurnStore
  messages: MessageStore
  toolCalls: ToolCallStore
  tools: () => Tool[]
  model: Model
  live: LiveBus
  clock: { now(): Promise<Date> }
  pipelineOf(session: Session): Promise<string>
  turnTimeoutMs: number
  logger: Logger
  metrics: { turnEnded(origin: string, status: string, seconds: number): void }
}

/** A user's turn from its place in the queue to its answer: gate → context → planner loop → history. */
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
        },
        turnId: input.turnId,
        language,
        onQueued: (turnId) => listener.onTurn?.({ turn_id: turnId, state: 'queued', status: 'queued' }),
      })
      const began = Date.now()
      listener.onTurn?.({ turn_id: turn.id, state: 'started', status: 'running' })
      try {
        const outcome = await plan(parts, turn, language, listener)
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

/** A bug or a lost database is closed visibly too; only a turn that was taken away says nothing more. */
async function plan(
  parts: ChatParts,
  turn: HeldTurn,
  language: Language,
  listener: TurnListener,
): Promise<PlannerOutcome> {
  try {
    return await runLoop(parts, turn, language, listener)
  } catch (error) {
    if (error instanceof TurnLostError) throw error
    parts.logger.error({ turnId: turn.id, code: errorCode(error), err: error }, 'a turn failed')
    const content = CLOSING_TEXTS.failed[language]
    return { status: 'failed', content, type: 'text', payload: null, toolCalls: [], errorCode: errorCode(error) }
  }
}

async function runLoop(
  parts: ChatParts,
  turn: HeldTurn,
  language: Language,
  listener: TurnListener,
): Promise<PlannerOutcome> {
  const { session } = turn
  const key = session.sessionKey
  const fence = { turnId: turn.id, fence: turn.fence }
  const pipeline = getPipeline(await parts.pipelineOf(session))
  const history = await parts.messages.latest(key, { limit: CONTEXT_MESSAGES })
  return runPlannerLoop({
    model: parts.model,
    system: buildSystemPrompt(pipeline, { now: await parts.clock.now(), zone: session.timezone, language, session }),
    history: history.map(({ role, content }): ModelMessage => ({ role, content })),
    tools: toolsOf(pipeline, parts.tools()),
    modelName: pipeline.model,
    context: { session, turnId: turn.id, fence: turn.fence, origin: 'user', language, signal: turn.signal },
    now: parts.clock.now,
    recorder: {
      started: (call) => {
        const { id: callId, round, name } = call
        return parts.toolCalls.started({ sessionKey: key, turn: fence, callId, round, name, arguments: call.arguments })
      },
      ended: (callId, result) => parts.toolCalls.ended(key, fence, callId, result),
    },
    onText: (text) => {
      listener.onDelta?.(text)
      parts.live.publishDelta(key, { turn_id: turn.id, text })
    },
    onToolCall: listener.onToolCall,
    onFault: (error, where) => parts.logger.warn({ turnId: turn.id, where, err: error }, 'something failed in a turn'),
    signal: AbortSignal.any([turn.signal, AbortSignal.timeout(parts.turnTimeoutMs)]),
  })
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

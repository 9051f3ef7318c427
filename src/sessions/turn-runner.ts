import type { Logger } from 'pino'
import type { Session } from '../contracts/session'
import type { Tool } from '../contracts/tool'
import { CLOSING_TEXTS } from '../contracts/turn'
import type { Language, TurnOrigin } from '../contracts/words'
import { errorCode, TurnLostError } from '../errors'
import type { LiveBus } from '../live/live-bus'
import type { Model, ModelMessage } from '../planner/model'
import { toolsOf } from '../planner/pipelines'
import type { Pipeline } from '../planner/pipelines'
import { runPlannerLoop } from '../planner/planner-loop'
import type { PlannerOutcome, PlannerRun } from '../planner/planner-loop'
import { buildSystemPrompt } from '../planner/system-prompt'
import type { MemoryStore } from '../store/memory-store'
import type { MessageStore } from '../store/message-store'
import type { ToolCallStore } from '../store/tool-call-store'
import type { TurnListener } from './chat'
import type { HeldTurn } from './turn-gate'

/** How many messages of the conversation the model is shown. What came before them is remembered as a summary. */
export const CONTEXT_MESSAGES = 40

export interface TurnRunnerParts {
  messages: MessageStore
  memories: MemoryStore
  toolCalls: ToolCallStore
  tools: () => Tool[]
  model: Model
  live: LiveBus
  clock: { now(): Promise<Date> }
  pipelineOf(session: Session): Promise<string>
  getPipeline(uuid: string): Promise<Pipeline>
  turnTimeoutMs: number
  logger: Logger
}

export interface TurnWork {
  origin: TurnOrigin
  language: Language
  listener?: TurnListener
  /** Said to the model in place of what history holds of this turn. */
  instruction?: string
  closingText?: PlannerRun['closingText']
  signal?: AbortSignal
}

export interface TurnRunner {
  run(turn: HeldTurn, work: TurnWork): Promise<PlannerOutcome>
}

/** What a turn does once it has its session, whoever began it: context → planner loop → outcome. */
export function createTurnRunner(parts: TurnRunnerParts): TurnRunner {
  return {
    /** A bug or a lost database is closed visibly too; only a turn that was taken away says nothing more. */
    async run(turn, work) {
      try {
        return await runLoop(parts, turn, work)
      } catch (error) {
        if (error instanceof TurnLostError || work.signal?.aborted) throw error
        parts.logger.error({ turnId: turn.id, code: errorCode(error), err: error }, 'a turn failed')
        const content = work.closingText?.('failed', false) ?? CLOSING_TEXTS.failed[work.language]
        return { status: 'failed', content, type: 'text', payload: null, toolCalls: [], errorCode: errorCode(error) }
      }
    },
  }
}

async function runLoop(parts: TurnRunnerParts, turn: HeldTurn, work: TurnWork): Promise<PlannerOutcome> {
  const { session } = turn
  const { origin, language, listener = {} } = work
  const key = session.sessionKey
  const fence = { turnId: turn.id, fence: turn.fence }
  const pipeline = await parts.getPipeline(await parts.pipelineOf(session))
  const aborts = [turn.signal, AbortSignal.timeout(parts.turnTimeoutMs), ...(work.signal ? [work.signal] : [])]
  return runPlannerLoop({
    model: parts.model,
    system: buildSystemPrompt(pipeline, {
      now: await parts.clock.now(),
      zone: session.timezone,
      language,
      session,
      memory: (await parts.memories.find(key))?.summary,
    }),
    history: await readContext(parts, turn, work),
    tools: toolsOf(pipeline, parts.tools()),
    modelName: pipeline.model,
    context: { session, ...fence, origin, language: pipeline.language ?? language, signal: turn.signal },
    now: parts.clock.now,
    recorder: {
      started: (call) => {
        const { id: callId, round, name } = call
        return parts.toolCalls.started({ sessionKey: key, turn: fence, callId, round, name, arguments: call.arguments })
      },
      ended: (callId, result) => parts.toolCalls.ended(key, fence, callId, result),
    },
    closingText: work.closingText,
    onText: (text) => {
      listener.onDelta?.(text)
      parts.live.publishDelta(key, { turn_id: turn.id, text })
    },
    onToolCall: listener.onToolCall,
    onFault: (error, where) => parts.logger.warn({ turnId: turn.id, where, err: error }, 'something failed in a turn'),
    signal: AbortSignal.any(aborts),
  })
}

async function readContext(parts: TurnRunnerParts, turn: HeldTurn, { instruction }: TurnWork): Promise<ModelMessage[]> {
  const said = await parts.messages.latest(turn.session.sessionKey, { limit: CONTEXT_MESSAGES })
  if (instruction === undefined) return said.map(({ role, content }) => ({ role, content }))
  const before = said.filter(({ turnId }) => turnId !== turn.id)
  return [
    ...before.map(({ role, content }): ModelMessage => ({ role, content })),
    { role: 'user', content: instruction },
  ]
}

import type { Logger } from 'pino'
import type { Session } from './session'
import type { Tool } from '../contracts/tool'
import { CLOSING_TEXTS } from './turn'
import type { Language, TurnOrigin } from '../contracts/words'
import { errorCode, TurnLostError } from '../errors'
import type { LiveBus } from '../engine/live-bus'
import type { Memory } from './memory'
import { buildSystemPrompt, meteredFor, runPlannerLoop, toolsOf } from '../planner'
import type { MeteredModel } from '../planner/metered-model'
import type { TokenUsage, UsageSubject } from '../planner/model'
import type { Pipeline } from '../planner/pipelines'
import type { PlannerOutcome, PlannerRun } from '../planner/planner-loop'
import type { MemoryStore } from './sql/memory-store'
import type { MessageStore } from './sql/message-store'
import type { ToolCallStore } from './sql/tool-call-store'
import type { TurnListener } from './chat'
import { isStorageAway } from '../engine/storage-away'
import { readContext } from './turn-context'
import type { HeldTurn } from './turn-gate'

export interface TurnRunnerParts {
  messages: MessageStore
  memories: MemoryStore
  /** Summarises what is about to leave the window. */
  memory: Pick<Memory, 'refresh' | 'catchUp'>
  toolCalls: ToolCallStore
  tools: () => Tool[]
  model: MeteredModel
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
  settings?: PlannerRun['settings']
  /** What a program asks of the model besides the prompt, in this turn alone. */
  instructions?: string
  closingText?: PlannerRun['closingText']
  signal?: AbortSignal
  /** Somebody does the turn again when PostgreSQL is back: its absence is no failure of the turn. */
  isRepeatable?: boolean
  /** For whom its model calls are. */
  usageOf: UsageSubject
  /** The person is not known to the bot: what reaches outside is not offered. */
  forStranger?: boolean
}

export interface TurnOutcome extends PlannerOutcome {
  /** What stood behind a failure, for the record; the person reads `content`. */
  errorDetail?: string
  /** What its model calls cost, all together. */
  usage?: TokenUsage
}

export interface TurnRunner {
  run(turn: HeldTurn, work: TurnWork): Promise<TurnOutcome>
}

/** What a turn does once it has its session, whoever began it: context → planner loop → outcome. */
export function createTurnRunner(parts: TurnRunnerParts): TurnRunner {
  return {
    /** A bug or a lost database is closed visibly too; only a turn that was taken away, or is done again, says nothing. */
    async run(turn, work) {
      let fault: unknown
      const onFault = (error: unknown, where: string) => {
        fault = error
        parts.logger.warn({ turnId: turn.id, where, err: error }, 'something failed in a turn')
      }
      try {
        const outcome = await runLoop(parts, turn, { ...work, onFault })
        return outcome.status === 'failed' && fault !== undefined
          ? { ...outcome, errorDetail: describeError(fault) }
          : outcome
      } catch (error) {
        if (error instanceof TurnLostError || work.signal?.aborted) throw error
        if (work.isRepeatable && isStorageAway(error)) throw error
        parts.logger.error({ turnId: turn.id, code: errorCode(error), err: error }, 'a turn failed')
        const content = work.closingText?.('failed', false) ?? CLOSING_TEXTS.failed[work.language]
        const nothing = { type: 'text' as const, payload: null, toolCalls: [], effects: [] }
        return { status: 'failed', content, ...nothing, errorCode: errorCode(error), errorDetail: describeError(error) }
      }
    },
  }
}

const DETAIL_LIMIT = 500
/** Providers repeat the key they refuse. */
const SECRETS = /\b(?:sk|lbk|pk|key)[-_][\w*.-]{6,}|Bearer\s+\S+/g

/** An error and what caused it, in one short line. */
function describeError(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error && messages.length < 3; each = each.cause) messages.push(each.message)
  return (messages.join(': ') || String(error)).replace(SECRETS, '…').replace(/\s+/g, ' ').slice(0, DETAIL_LIMIT)
}

type Work = TurnWork & Pick<PlannerRun, 'onFault'>

async function runLoop(parts: TurnRunnerParts, turn: HeldTurn, work: Work): Promise<TurnOutcome> {
  const { session } = turn
  const { origin, language, listener = {} } = work
  const key = session.sessionKey
  const fence = { turnId: turn.id, fence: turn.fence }
  const aborts = [turn.signal, AbortSignal.timeout(parts.turnTimeoutMs), ...(work.signal ? [work.signal] : [])]
  const usageOf = { ...work.usageOf, botUuid: session.botUuid, sessionKey: key, turnId: turn.id }
  const usage: TokenUsage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 }
  const signal = AbortSignal.any(aborts)
  const [pipeline, now, { memory, history }] = await Promise.all([
    parts.pipelineOf(session).then(parts.getPipeline),
    parts.clock.now(),
    readContext(parts, turn, { instruction: work.instruction, signal }),
  ])
  const outcome = await runPlannerLoop({
    model: meteredFor(parts.model, usageOf, usage),
    system: withInstructions(
      work.instructions,
      buildSystemPrompt(pipeline, {
        now,
        zone: session.timezone,
        language,
        session,
        memory,
      }),
    ),
    history,
    tools: toolsOf(pipeline, parts.tools(), { forStranger: work.forStranger }),
    modelName: pipeline.model,
    settings: work.settings,
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
    onFault: work.onFault,
    signal,
  })
  // Before the answer is stored: no piece of a text comes after the message that holds it, and the next turn's budget knows its cost.
  await Promise.all([parts.live.flushDeltas(), parts.model.costsStored()])
  return { ...outcome, usage }
}

const withInstructions = (instructions: string | undefined, system: string) =>
  instructions === undefined ? system : `${system}\n\nThe program that the person uses asks for this:\n${instructions}`

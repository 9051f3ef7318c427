import type { Effect } from '../contracts/effect'
import type { Tool, ToolCallRecord, ToolContext } from '../contracts/tool'
import type { AnswerType, JsonObject, JsonValue } from '../contracts/words'
import { TurnLostError } from '../errors'
import { closingText } from './closing-text'
import type { FailureCode } from './closing-text'
import { createSpokenText } from './spoken-text'
import type { SpokenText } from './spoken-text'
import { ModelError } from './model'
import type { Model, ModelMessage, ModelSettings } from './model'
import { answeredWithNothing, answeredWithText, roundsExhausted, turnTimedOut } from './stop-conditions'
import { createToolRunner } from './tool-runner'
import type { ToolRunner } from './tool-runner'

/*
 * The loop, once, as pseudo-code:
 *
 *   messages = system + history
 *   repeat
 *     answer = model(messages, tools)
 *     stop if it answered with text            → answered; a question of a tool that is still open follows it
 *     stop if it answered with nothing         → closing message
 *     stop if these were 10 rounds             → closing message, the calls are not run: nobody would read the results
 *     messages += answer, and a result for each of its calls: at most 8 run, one after the other, each id once
 *   text is heard as it arrives; the answer carries what the tools really did
 *   a model that fails, hangs or breaks off    → closing message
 *   the turn's time is over                    → closing message
 *   the turn was taken away, or was aborted    → throws
 */

export const MAX_ROUNDS = 10

export interface PlannerRun {
  model: Model
  modelName?: string
  settings?: ModelSettings
  system: string
  history: ModelMessage[]
  /** Those that are not offered here are not shown to the model, and do not run if it calls them. */
  tools: Tool[]
  context: Omit<ToolContext, 'toolCallId' | 'now' | 'offered'>
  now: () => Promise<Date>
  recorder: ToolCallRecorder
  /** Words for an ending without an answer; the usual ones speak to a person who has just asked. */
  closingText?: (code: string, didSomething: boolean) => string
  onText?: (text: string) => void
  onToolCall?: (call: ToolCallRecord) => void
  /** What went wrong inside, for the log: the person and the model only see that it did. */
  onFault?: (error: unknown, where: 'model' | 'tool') => void
  signal: AbortSignal
}

/** Keeps what was called. `repeated` means that this turn made the call before, perhaps in another process. */
export interface ToolCallRecorder {
  started(call: { id: string; round: number; name: string; arguments: JsonValue }): Promise<'new' | 'repeated'>
  ended(callId: string, result: JsonObject): Promise<void>
}

export interface PlannerOutcome {
  status: 'answered' | 'failed'
  content: string
  type: AnswerType
  payload: JsonValue | null
  toolCalls: ToolCallRecord[]
  effects: Effect[]
  /** The model's last words end at its limit of tokens. */
  isCutShort?: boolean
  errorCode?: string
}

export async function runPlannerLoop(run: PlannerRun): Promise<PlannerOutcome> {
  const runner = createToolRunner(run)
  const spoken = createSpokenText(run.onText)
  try {
    return await loop(run, runner, spoken)
  } catch (error) {
    if (error instanceof TurnLostError) throw error
    if (turnTimedOut(run.signal)) return failed(run, runner, spoken, 'turn_timeout')
    if (run.signal.aborted || !(error instanceof ModelError)) throw error
    run.onFault?.(error, 'model')
    return failed(run, runner, spoken, error.code)
  }
}

async function loop(run: PlannerRun, runner: ToolRunner, spoken: SpokenText): Promise<PlannerOutcome> {
  const messages: ModelMessage[] = [{ role: 'system', content: run.system }, ...run.history]
  const isExhausted = roundsExhausted(MAX_ROUNDS)
  for (let round = 1; ; round += 1) {
    const answer = await askModel(run, messages, runner, spoken)
    const state = { round, answer }
    if (answeredWithText(state)) return { ...answered(runner, spoken), ...(answer.isCutShort && { isCutShort: true }) }
    if (answeredWithNothing(state)) return failed(run, runner, spoken, 'model_empty_answer')
    if (isExhausted(state)) return failed(run, runner, spoken, 'too_many_rounds')
    messages.push(...(await runner.runRound(round, answer)))
  }
}

async function askModel(run: PlannerRun, messages: ModelMessage[], runner: ToolRunner, spoken: SpokenText) {
  run.signal.throwIfAborted()
  const { model, modelName, settings, signal } = run
  const onText = spoken.beginRound()
  const answer = await model.complete({ messages, tools: runner.definitions, modelName, settings, signal, onText })
  run.signal.throwIfAborted()
  spoken.endRound(answer.content)
  return answer
}

function answered(runner: ToolRunner, spoken: SpokenText): PlannerOutcome {
  askWhatIsOpen(runner, spoken)
  const content = spoken.text()
  const { type, payload } = runner.effects.answer() ?? { type: typeOf(content), payload: null }
  return { status: 'answered', content, type, payload, toolCalls: runner.records, effects: runner.effects.list() }
}

const typeOf = (content: string) => (/[?？]\s*$/.test(content) ? 'question' : 'text')

/** The person must have read what a tool needs to know, in its own words: what they say next is taken as the answer. */
function askWhatIsOpen({ effects }: ToolRunner, spoken: SpokenText): void {
  for (const { text } of effects.questions()) if (!spoken.text().includes(text)) spoken.speak(text)
}

/** What was said in whole rounds stays; the closing message follows it. */
function failed(run: PlannerRun, runner: ToolRunner, spoken: SpokenText, code: FailureCode): PlannerOutcome {
  const did = runner.didSomething()
  spoken.speak(run.closingText?.(code, did) ?? closingText(code, run.context.language, did))
  askWhatIsOpen(runner, spoken)
  const { records: toolCalls, effects } = runner
  const { type, payload } = effects.questions().at(-1)?.answer ?? { type: 'text', payload: null }
  return {
    status: 'failed',
    content: spoken.text(),
    type,
    payload,
    toolCalls,
    effects: effects.list(),
    errorCode: code,
  }
}

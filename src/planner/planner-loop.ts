import type { Tool, ToolCallRecord, ToolContext } from '../contracts/tool'
import type { AnswerType, JsonObject, JsonValue } from '../contracts/words'
import { TurnLostError } from '../errors'
import { CLAIM_REFUSED, HONEST_TEXTS } from './claim-words'
import { isTrue } from './claims/claim'
import { findClaims } from './claims/find-claims'
import { closingText } from './closing-text'
import type { FailureCode } from './closing-text'
import { createSpokenText } from './spoken-text'
import type { SpokenText } from './spoken-text'
import { ModelError } from './model'
import type { Model, ModelMessage } from './model'
import { answeredWithNothing, answeredWithText, roundsExhausted, turnTimedOut } from './stop-conditions'
import { createToolRunner } from './tool-runner'
import type { ToolRunner } from './tool-runner'

/*
 * The loop, once, as pseudo-code:
 *
 *   messages = system + history
 *   repeat
 *     answer = model(messages, tools)
 *     stop if it answered with text            → answered; but if it claims what no tool did, the model is told once,
 *                                                and if it insists, the person reads an honest text instead
 *     stop if it answered with nothing         → closing message
 *     stop if these were 10 rounds             → closing message, the calls are not run: nobody would read the results
 *     messages += answer, and a result for each of its calls: at most 8 run, one after the other, each id once
 *   text is heard sentence by sentence; one with such a claim waits until a tool has made it true
 *   a model that fails, hangs or breaks off    → closing message
 *   the turn's time is over                    → closing message
 *   the turn was taken away, or was aborted    → throws
 */

export const MAX_ROUNDS = 10

export interface PlannerRun {
  model: Model
  modelName?: string
  system: string
  history: ModelMessage[]
  /** Those that are not offered here are not shown to the model, and refuse by themselves if it calls them. */
  tools: Tool[]
  context: Omit<ToolContext, 'toolCallId' | 'now'>
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
  errorCode?: string
}

export async function runPlannerLoop(run: PlannerRun): Promise<PlannerOutcome> {
  const runner = createToolRunner(run)
  const spoken = createSpokenText(run.onText, (text) =>
    findClaims(text).every((claim) => isTrue(claim, runner.deeds())),
  )
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
  let isTold = false
  for (let round = 1; ; round += 1) {
    const answer = await askModel(run, messages, runner, spoken)
    const state = { round, answer }
    if (answeredWithText(state)) {
      if (!spoken.isHeldBack()) return answered(runner, spoken)
      spoken.settle()
      if (isTold || isExhausted(state)) return corrected(run, runner, spoken)
      isTold = true
      messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: CLAIM_REFUSED })
      continue
    }
    if (answeredWithNothing(state)) return failed(run, runner, spoken, 'model_empty_answer')
    if (isExhausted(state)) {
      spoken.settle()
      return failed(run, runner, spoken, 'too_many_rounds')
    }
    messages.push(...(await runner.runRound(round, answer)))
    spoken.settle()
  }
}

async function askModel(run: PlannerRun, messages: ModelMessage[], runner: ToolRunner, spoken: SpokenText) {
  run.signal.throwIfAborted()
  const { model, modelName, signal } = run
  const onText = spoken.beginRound()
  const answer = await model.complete({ messages, tools: runner.definitions, modelName, signal, onText })
  run.signal.throwIfAborted()
  spoken.endRound(answer.content)
  return answer
}

function answered(runner: ToolRunner, spoken: SpokenText): PlannerOutcome {
  const last = runner.lastAnswer()
  if (last?.mustAsk && !asksAbout(spoken.text(), last.mustAsk.about)) spoken.speak(last.mustAsk.text)
  const content = spoken.text()
  const { type, payload } = last ?? { type: asks(content) ? ('question' as const) : ('text' as const), payload: null }
  return { status: 'answered', content, type, payload, toolCalls: runner.records }
}

const asks = (text: string) => /[?？]\s*$/.test(text)
const asksAbout = (text: string, titles: string[]) =>
  /[?？]/.test(text) && titles.every((title) => text.includes(title))

/** The model insists on what is not so: its words are dropped, and what did happen stands. */
function corrected(run: PlannerRun, runner: ToolRunner, spoken: SpokenText): PlannerOutcome {
  const { effects } = runner.deeds()
  spoken.speak(HONEST_TEXTS[effects.length > 0 ? 'something' : 'nothing'][run.context.language])
  run.onFault?.(new Error('the answer claimed what no tool did'), 'model')
  return answered(runner, spoken)
}

/** What was said in whole rounds stays; the closing message follows it. */
function failed(run: PlannerRun, runner: ToolRunner, spoken: SpokenText, code: FailureCode): PlannerOutcome {
  const did = runner.didSomething()
  spoken.speak(run.closingText?.(code, did) ?? closingText(code, run.context.language, did))
  const content = spoken.text()
  return { status: 'failed', content, type: 'text', payload: null, toolCalls: runner.records, errorCode: code }
}

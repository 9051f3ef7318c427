import type { RunResult } from '../plugins/contract'
import { artifactPath } from '../plugins/contract'
import type { NewMessage } from '../../conversation/message'
import type { MessageChain } from '../../contracts/message-chain'
import { runMessageRef } from '../contract'
import type { Run, RunStep } from '../contract'
import type { JsonObject } from '../../contracts/words'
import { chainOf } from './feedback-chain'
import type { LockedRun } from './write'

/** The step has had its last word. */
export const isTold = ({ status }: RunStep) => status === 'reported' || status === 'skipped'

/** What a `tool_result` says. */
export function resultData(step: RunStep, result: RunResult): JsonObject {
  const began = step.startedAt ?? step.settledAt
  const elapsedMs = began && step.finishedAt ? step.finishedAt.getTime() - began.getTime() : 0
  const { success, code, data } = result
  return { result: { success, code, data, error: result.error ? { ...result.error } : null }, elapsedMs }
}

/** What the person reads of a step. Of a call that the model waits for in its turn they read in its answer. */
export function feedbackMessage(
  run: Run,
  step: RunStep,
  said: { content: string; chain?: MessageChain },
  what: 'progress' | 'result',
): NewMessage | undefined {
  if (run.origin === 'call') return undefined
  return messageOf(run, step, said, what)
}

/** The outcome in words, with the pictures and files that were made as parts of the message. */
export async function resultMessage(
  { db, run, session }: LockedRun,
  step: RunStep,
  text: string,
  { data }: RunResult,
): Promise<NewMessage | undefined> {
  if (!session) return undefined
  const chain = await chainOf(db, run.id, text, data)
  const files = chain.filter(({ type }) => type !== 'Plain')
  // The page shows what the model's answer names; a platform is brought the files themselves.
  const isAnswer = run.origin === 'call'
  if (isAnswer && (session.channel === 'web' || files.length === 0)) return undefined
  const shown = isAnswer ? files : chain
  return messageOf(run, step, { content: textOf(shown), ...(files.length > 0 ? { chain: shown } : {}) }, 'result')
}

const textOf = (chain: MessageChain) =>
  chain
    .map((part) =>
      part.type === 'Plain' ? part.text : 'artifact_id' in part ? artifactPath(part.artifact_id ?? '') : '',
    )
    .join('')

function messageOf(
  run: Run,
  step: RunStep,
  said: { content: string; chain?: MessageChain },
  what: 'progress' | 'result',
): NewMessage {
  const metadata = { run_id: run.id, step_index: step.stepIndex, ai_name: step.aiName, feedback: what }
  return { ...fromBot(run), ...said, sourceRef: runMessageRef(run.id, step.stepIndex, what), metadata }
}

export const fromBot = (run: Run) => ({
  role: 'assistant' as const,
  senderId: run.botUuid,
  sourceKind: 'plugin_feedback' as const,
})

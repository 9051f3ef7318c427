import type { RunResult } from '../plugins/contract'
import type { Database } from '../../engine/database'
import type { TurnFence } from '../../engine/session-writes'
import { createRun } from './create'
import type { NewRun } from './create'
import { findRun, listRunEvents, listRunning, listRuns } from './read'
import type { RunFilter } from './read'
import { cancelRun, completeRun } from './end'
import { reportProgress, reportResult, skipStep, tellDue } from './report'
import type { FeedbackTexts, Telling } from './report'
import { decideCall, finishCall, keepWords, settleStep, startCall, takeCooldown } from './steps'
import type { Settled } from './steps'

export type RunStore = ReturnType<typeof createRunStore>

/** Runs, their steps and their events as verbs. */
export function createRunStore({ pool }: Database) {
  return {
    create: (input: NewRun) => createRun(pool, input),
    find: (id: string) => findRun(pool, id),
    list: (filter: RunFilter) => listRuns(pool, filter),
    events: (id: string, afterSeq: number, limit: number) => listRunEvents(pool, id, afterSeq, limit),
    settle: (id: string, step: number, settled: Settled) => settleStep(pool, id, step, settled),
    decideCall: (id: string, step: number, idempotent: boolean) => decideCall(pool, id, step, idempotent),
    startCall: (id: string, step: number, idempotent: boolean) => startCall(pool, id, step, idempotent),
    finishCall: (id: string, step: number, result: RunResult) => finishCall(pool, id, step, result),
    keepWords: (id: string, step: number, what: 'progress' | 'result', text: string) =>
      keepWords(pool, id, step, what, text),
    takeCooldown: (aiName: string, botUuid: string, cooldownMs: number) =>
      takeCooldown(pool, aiName, botUuid, cooldownMs),
    tellDue: (id: string, telling: Telling) => tellDue(pool, id, telling),
    reportProgress: (id: string, step: number, texts: FeedbackTexts) => reportProgress(pool, id, step, texts),
    reportResult: (id: string, step: number, texts: FeedbackTexts) => reportResult(pool, id, step, texts),
    skip: (id: string, step: number, failed: number[], texts: FeedbackTexts) => skipStep(pool, id, step, failed, texts),
    complete: (id: string) => completeRun(pool, id),
    cancel: (id: string, by: { reason: string; workflowKnows?: boolean; turn?: TurnFence }) => cancelRun(pool, id, by),
    listRunning: (sessionKey: string) => listRunning(pool, sessionKey),
  }
}

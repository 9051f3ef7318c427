import type { RunResult } from '../../contracts/plugin'
import type { JsonObject } from '../../contracts/words'
import type { Database } from '../database'
import type { TurnFence } from '../session-writes'
import { createRun } from './create'
import type { NewRun } from './create'
import { filterRunning, findRun, listRunEvents, listRunning, listRuns, listStaleRuns } from './read'
import type { RunFilter } from './read'
import { cancelRun, completeRun, reportProgress, reportResult, skipStep } from './report'
import { beginStepCall, finishStepCall, settleStep, takeCooldown } from './steps'

export type RunStore = ReturnType<typeof createRunStore>

/** Runs, their steps and their events as verbs. */
export function createRunStore({ pool }: Database) {
  return {
    create: (input: NewRun) => createRun(pool, input),
    find: (id: string) => findRun(pool, id),
    list: (filter: RunFilter) => listRuns(pool, filter),
    events: (id: string, afterSeq: number, limit: number) => listRunEvents(pool, id, afterSeq, limit),
    settle: (id: string, step: number, settled: { args: JsonObject; feedbackAt: Date | null; refusal?: RunResult }) =>
      settleStep(pool, id, step, settled),
    beginCall: (id: string, step: number, idempotent: boolean) => beginStepCall(pool, id, step, idempotent),
    finishCall: (id: string, step: number, result: RunResult) => finishStepCall(pool, id, step, result),
    takeCooldown: (aiName: string, botUuid: string, cooldownMs: number) =>
      takeCooldown(pool, aiName, botUuid, cooldownMs),
    reportProgress: (id: string, step: number, text: string) => reportProgress(pool, id, step, text),
    reportResult: (id: string, step: number, text: string | null) => reportResult(pool, id, step, text),
    skip: (id: string, step: number, failed: number[]) => skipStep(pool, id, step, failed),
    complete: (id: string) => completeRun(pool, id),
    cancel: (id: string, by: { reason: string; workflowKnows?: boolean; turn?: TurnFence }) => cancelRun(pool, id, by),
    listRunning: (sessionKey: string) => listRunning(pool, sessionKey),
    filterRunning: (ids: string[]) => filterRunning(pool, ids),
    listStale: (olderThanSeconds: number, limit: number) => listStaleRuns(pool, olderThanSeconds, limit),
  }
}

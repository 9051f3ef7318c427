import type { Automation } from '../contract'
import type { Database } from '../../engine/database'
import { changeAutomation, removeAutomation, setDailyTokens } from './change'
import type { StateChange } from './change'
import { createAutomation, importAutomation, listImported } from './create'
import type { ImportedJob } from './create'
import { deliverAnswer, findUndelivered, recordUndelivered } from './deliver-answer'
import type { UndeliveredAnswer } from './deliver-answer'
import { findAutomation, findRunRecord, latestRuns, listOfSession, listRuns } from './read'
import { queueRun } from './queue-run'
import type { DueSlot } from './queue-run'
import { startRun } from './start-run'
import { stopRun } from './stop-run'
import type { RunStop } from './stop-run'
import {
  findForSync,
  listSynced,
  listToAccount,
  listToRenew,
  listToResume,
  markSeen,
  markSynced,
  pruneRuns,
  recordMissed,
} from './upkeep'

export type { RunRecord } from './read'
export type { PreparedRun, PrepareRun, RunStart } from './start-run'
export type AutomationStore = ReturnType<typeof createAutomationStore>

/** Automations and their runs as verbs; each of any size has a file of its own. */
export function createAutomationStore({ pool }: Database) {
  return {
    create: (sessionKey: string, input: Parameters<typeof createAutomation>[2]) =>
      createAutomation(pool, sessionKey, input),
    import: (job: ImportedJob) => importAutomation(pool, job),
    listImported: (botUuid: string) => listImported(pool, botUuid),
    change: (id: string, change: StateChange) => changeAutomation(pool, id, change),
    setDailyTokens: (id: string, tokens: number | null) => setDailyTokens(pool, id, tokens),
    remove: (id: string, by: Parameters<typeof removeAutomation>[2]) => removeAutomation(pool, id, by),
    find: (id: string) => findAutomation(pool, id),
    listOfSession: (sessionKey: string, also: { withThreads: boolean }) => listOfSession(pool, sessionKey, also),
    latestRuns: (ids: string[]) => latestRuns(pool, ids),
    listRuns: (id: string, limit: number) => listRuns(pool, id, limit),
    findRecord: (runId: string) => findRunRecord(pool, runId),
    queue: (due: DueSlot) => queueRun(pool, due),
    /** What the turn of a run starts with. */
    start: startRun,
    findUndelivered: (runId: string) => findUndelivered(pool, runId),
    deliverAnswer: (sessionKey: string, answer: UndeliveredAnswer) => deliverAnswer(pool, sessionKey, answer),
    recordUndelivered: (runId: string, why: Parameters<typeof recordUndelivered>[2]) =>
      recordUndelivered(pool, runId, why),
    stopRun: (runId: string, stop: RunStop) => stopRun(pool, runId, stop),
    findForSync: (id: string) => findForSync(pool, id),
    markSynced: (id: string, version: number | null) => markSynced(pool, id, version),
    listSynced: (sinceSeconds: number, afterId: string | null, limit: number) =>
      listSynced(pool, sinceSeconds, afterId, limit),
    markSeen: (ids: string[], generation: number) => markSeen(pool, ids, generation),
    listToRenew: (afterDays: number, limit: number) => listToRenew(pool, afterDays, limit),
    listToResume: (limit: number) => listToResume(pool, limit),
    listToAccount: (graceSeconds: number, limit: number) => listToAccount(pool, graceSeconds, limit),
    recordMissed: (automation: Automation, account: Parameters<typeof recordMissed>[2]) =>
      recordMissed(pool, automation, account),
    pruneRuns: (keep: number, afterId: string | null, limit: number) => pruneRuns(pool, keep, afterId, limit),
  }
}

import type { Automation } from '../../contracts/automation'
import type { Database } from '../database'
import { changeAutomation, removeAutomation } from './change'
import type { StateChange } from './change'
import { createAutomation, importAutomation, listImported } from './create'
import type { ImportedJob } from './create'
import { deliverAnswer, findUndelivered, recordUndelivered } from './deliver-answer'
import type { UndeliveredAnswer } from './deliver-answer'
import { findAutomation, findRunRecord, latestRuns, listOfSession, listRuns } from './read'
import { queueRun } from './queue-run'
import type { DueSlot } from './queue-run'
import { startRun } from './start-run'
import type { RunClaim } from './start-run'
import { stopRun } from './stop-run'
import type { RunStop } from './stop-run'
import { takeRun } from './take-run'
import {
  filterOpenRuns,
  findForSync,
  listStaleRuns,
  listSynced,
  listToAccount,
  markSynced,
  pruneRuns,
  recordMissed,
} from './upkeep'

export type { RunRecord } from './read'
export type { PreparedRun } from './start-run'
export type AutomationStore = ReturnType<typeof createAutomationStore>

/** Automations and their runs as verbs; each of any size has a file of its own. */
export function createAutomationStore({ pool }: Database) {
  return {
    create: (sessionKey: string, input: Parameters<typeof createAutomation>[2]) =>
      createAutomation(pool, sessionKey, input),
    import: (job: ImportedJob) => importAutomation(pool, job),
    listImported: (botUuid: string) => listImported(pool, botUuid),
    change: (id: string, change: StateChange) => changeAutomation(pool, id, change),
    remove: (id: string, by: Parameters<typeof removeAutomation>[2]) => removeAutomation(pool, id, by),
    find: (id: string) => findAutomation(pool, id),
    listOfSession: (sessionKey: string) => listOfSession(pool, sessionKey),
    latestRuns: (ids: string[]) => latestRuns(pool, ids),
    listRuns: (id: string, limit: number) => listRuns(pool, id, limit),
    findRecord: (runId: string) => findRunRecord(pool, runId),
    queue: (due: DueSlot) => queueRun(pool, due),
    take: (runId: string, holder: string) => takeRun(pool, runId, holder),
    start: (claim: RunClaim) => startRun(pool, claim),
    findUndelivered: (runId: string) => findUndelivered(pool, runId),
    deliverAnswer: (sessionKey: string, answer: UndeliveredAnswer) => deliverAnswer(pool, sessionKey, answer),
    recordUndelivered: (runId: string, why: Parameters<typeof recordUndelivered>[2]) =>
      recordUndelivered(pool, runId, why),
    stopRun: (runId: string, stop: RunStop) => stopRun(pool, runId, stop),
    findForSync: (id: string) => findForSync(pool, id),
    markSynced: (id: string, version: number | null) => markSynced(pool, id, version),
    listSynced: (sinceSeconds: number, limit: number) => listSynced(pool, sinceSeconds, limit),
    listToAccount: (graceSeconds: number, limit: number) => listToAccount(pool, graceSeconds, limit),
    recordMissed: (automation: Automation, account: Parameters<typeof recordMissed>[2]) =>
      recordMissed(pool, automation, account),
    filterOpenRuns: (workflowIds: string[]) => filterOpenRuns(pool, workflowIds),
    listStaleRuns: (seconds: number, limit: number) => listStaleRuns(pool, seconds, limit),
    pruneRuns: (keep: number, limit: number) => pruneRuns(pool, keep, limit),
  }
}

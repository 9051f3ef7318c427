import type { Database } from '../database'
import { beginAttempt, completeAttempt, failAttempt, failScheduledMessage } from './attempt'
import { cancelScheduledMessages } from './cancel'
import type { CancelRequest } from './cancel'
import { createScheduledMessage } from './create'
import type { NewScheduledMessage } from './create'
import { deliverOnWeb } from './deliver'
import {
  filterByPending,
  findScheduledMessage,
  findStanding,
  listHerds,
  listOverdue,
  listScheduledMessages,
} from './read'
import type { ScheduledMessageFilter } from './read'
import { sweepDueMessages } from './sweep-due'

export type ScheduledMessageStore = ReturnType<typeof createScheduledMessageStore>

/** The table of seed 0 as verbs; each hot one has a file of its own. */
export function createScheduledMessageStore(database: Database) {
  const { pool } = database
  return {
    create: (input: NewScheduledMessage) => createScheduledMessage(database, input),
    cancel: (request: CancelRequest) => cancelScheduledMessages(pool, request),
    find: (id: string) => findScheduledMessage(pool, id),
    standing: (id: string) => findStanding(pool, id),
    listHerds: (withinMs: number, atLeast: number) => listHerds(pool, withinMs, atLeast),
    list: (filter: ScheduledMessageFilter) => listScheduledMessages(pool, filter),
    listOverdue: (graceSeconds: number, limit: number) => listOverdue(pool, graceSeconds, limit),
    filterByPending: (ids: string[], pending: boolean) => filterByPending(pool, ids, pending),
    sweepDue: (limit: number) => sweepDueMessages(pool, limit),
    deliverOnWeb: (id: string) => deliverOnWeb(pool, id),
    beginAttempt: (id: string, idempotent: boolean) => beginAttempt(pool, id, idempotent),
    completeAttempt: (id: string, number: number, receipt: string | null) => completeAttempt(pool, id, number, receipt),
    failAttempt: (id: string, number: number, failure: { error: string; final: boolean }) =>
      failAttempt(pool, id, number, failure),
    fail: (id: string, error: string) => failScheduledMessage(pool, id, error),
  }
}

import type { Database } from '../../engine/database'
import { cancelScheduledMessages } from './cancel'
import type { CancelRequest } from './cancel'
import { createScheduledMessage, findCreated } from './create'
import type { NewScheduledMessage } from './create'
import { deliverOnWeb, handOver } from './deliver'
import { failScheduledMessage } from './end'
import { findScheduledMessage, findDueStatus, listBursts, listScheduledMessages } from './read'
import type { ScheduledMessageFilter } from './read'
import { sweepDueMessages } from './sweep-due'
import { acknowledge, findLastSent, repeatMessage, snooze } from './follow-up'
import type { FollowUpRequest, SnoozeRequest } from './follow-up'

export type ScheduledMessageStore = ReturnType<typeof createScheduledMessageStore>

/** Scheduled private messages as verbs; each hot one has a file of its own. */
export function createScheduledMessageStore(database: Database) {
  const { pool } = database
  return {
    create: (input: NewScheduledMessage) => createScheduledMessage(database, input),
    findCreated: (input: Pick<NewScheduledMessage, 'id' | 'sessionKey'>) => findCreated(pool, input),
    cancel: (request: CancelRequest) => cancelScheduledMessages(pool, request),
    find: (id: string) => findScheduledMessage(pool, id),
    dueStatus: (id: string) => findDueStatus(pool, id),
    listBursts: (withinMs: number, atLeast: number) => listBursts(pool, withinMs, atLeast),
    list: (filter: ScheduledMessageFilter) => listScheduledMessages(pool, filter),
    sweepDue: (limit: number) => sweepDueMessages(pool, limit),
    deliverOnWeb: (id: string) => deliverOnWeb(pool, id),
    handOver: (id: string) => handOver(pool, id),
    repeat: (id: string) => repeatMessage(pool, id),
    acknowledge: (request: FollowUpRequest) => acknowledge(pool, request),
    snooze: (request: SnoozeRequest) => snooze(pool, request),
    findLastSent: (sessionKey: string, turnId?: string) => findLastSent(pool, sessionKey, turnId),
    fail: (id: string, error: string) => failScheduledMessage(pool, id, error),
  }
}

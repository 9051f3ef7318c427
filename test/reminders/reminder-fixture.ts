import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { ScheduledMessage } from '../../src/reminders/contract'
import type { Session } from '../../src/conversation/session'
import type { ScheduledMessageStatus } from '../../src/contracts/words'
export { findContradictions } from '../../gate/checker/contradictions'
import { eventually } from '../support/eventually'
import type { Product } from '../support/product'

/** For tests of what PostgreSQL alone decides: Temporal is told, but does not answer. */
export const WITHOUT_TEMPORAL = { TEMPORAL_ADDRESS: '127.0.0.1:1' }

export interface Wish {
  sendAt: string
  messageText?: string
  replaceExisting?: boolean
}

export function schedule(product: Product, session: Session, { sendAt, messageText = 'tea', ...rest }: Wish) {
  const request = { replaceExisting: false, language: 'en' as const, sendAt, messageText, ...rest }
  return product.parts.scheduledMessages.schedule(session, request)
}

/**
 * Promises one text for an exact instant, as the tool does after it has read the time: on a busy machine the instant
 * may have come meanwhile, and then it is sent at once.
 */
export async function promise(
  { parts }: Product,
  { sessionKey, timezone }: Session,
  sendAt: Date,
  messageText = 'tea',
): Promise<ScheduledMessage> {
  const input = { id: uuidv7(), sessionKey, timezone, sendAt, messageText, replaceExisting: false, toolCallId: null }
  const created = await parts.stores.scheduledMessages.create(input)
  if (created.state !== 'created') throw new Error(created.state)
  parts.dispatcher.kick()
  return created.message
}

/** `count` promises, for the same instant unless said otherwise, spread over sessions so that none is full. */
export async function promiseMany(
  product: Product,
  { count, sessions, sendAt, text = () => 'tea' }: ManyPromises,
): Promise<ScheduledMessage[]> {
  const homes = await Promise.all(Array.from({ length: sessions }, () => product.session(uuidv7())))
  const sendAtOf = typeof sendAt === 'function' ? sendAt : () => sendAt
  return mapLimited(count, (number) => promise(product, homes[number % sessions]!, sendAtOf(number), text(number)))
}

/** A person waits for an answer before the next request: a few at a time, in order of their number. */
export async function mapLimited<T>(count: number, work: (number: number) => Promise<T>, width = 10): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number)
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}

export interface ManyPromises {
  count: number
  sessions: number
  sendAt: Date | ((number: number) => Date)
  text?: (number: number) => string
}

export const countByStatus = async (pool: Pool): Promise<Partial<Record<ScheduledMessageStatus, number>>> => {
  const { rows } = await pool.query<{ status: ScheduledMessageStatus; count: number }>(
    'SELECT status, count(*)::int AS count FROM scheduled_messages GROUP BY status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

export const untilNonePending = (pool: Pool, limitMs = 60_000) =>
  eventually(async () => ((await countByStatus(pool)).pending ?? 0) === 0, limitMs, 100)

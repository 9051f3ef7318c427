import type { Pool } from 'pg'
import type { PushAnswer, PushContent } from '../contract'
import type { Session } from '../../conversation/session'
import { conflict, forbidden, tooMany } from '../../errors'
import type { Queryable } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { insertScheduledMessage, promiseEvent } from '../../reminders'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../../engine/session-writes'
import { takeTokens } from '../../engine/budgets'
import type { Budget } from '../../engine/budgets'
import { claimKey, keepAnswer } from './idempotency'
import type { Idempotency, KeptAnswer } from './idempotency'

/** Pushes that may wait for the end of the quiet hours in one session. */
const PENDING_LIMIT = 100

export interface NewPush {
  id: string
  sessionKey: string
  content: PushContent
  pushedBy: string
  budgets: readonly Budget[]
  idempotency: Idempotency | undefined
}

export interface PushOutcome {
  repeated: boolean
  answer: KeptAnswer
}

/**
 * One transaction decides everything: whether it was asked before, whether the person wants it, whether it is too much,
 * whether it has to wait, and that it is stored. What is refused leaves no trace, so it costs no token and may be repeated.
 */
export function storePush(pool: Pool, push: NewPush): Promise<PushOutcome> {
  return inTransaction(pool, async (db) => {
    const use = push.idempotency ? await claimKey(db, push.idempotency) : { state: 'first' as const }
    if (use.state === 'other_body') throw otherBody()
    if (use.state === 'repeated') return { repeated: true, answer: use.answer }
    const session = await lockSession(db, push.sessionKey)
    const { quietUntil, wanted } = await askSession(db, push)
    if (!wanted) throw optedOut()
    const over = await takeTokens(db, push.budgets)
    if (over) throw tooFast(over.name, over.retryAfterSeconds)
    const answer = quietUntil ? await promiseLater(db, session, push, quietUntil) : await sendNow(db, session, push)
    if (push.idempotency) await keepAnswer(db, push.idempotency, answer)
    return { repeated: false, answer }
  })
}

/** Storing it is sending it, on the web; on an outside channel it is on its way with the same commit. */
async function sendNow(db: Queryable, session: Session, { id, content, pushedBy }: NewPush): Promise<KeptAnswer> {
  const message = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: content.text,
    chain: content.chain,
    pipelineUuid: content.pipelineUuid,
    sourceKind: 'push',
    sourceRef: `push:${id}`,
    metadata: { push_id: id, pushed_by: pushedBy },
  })
  await appendEvents(db, session.sessionKey, [messageEvent(message)])
  const stored = { ...nothingYet(session), message_id: message.id }
  return session.channel === 'web' ? { ...stored, status: 'sent' } : { ...stored, status: 'queued', provisional: true }
}

/** A push that has to wait is a promise like any other: due when it may go, kept by a workflow. */
async function promiseLater(db: Queryable, session: Session, push: NewPush, until: Date): Promise<PushAnswer> {
  const { id, content } = push
  const row = await insertScheduledMessage(db, {
    id,
    sessionKey: session.sessionKey,
    messageText: content.text,
    chain: content.chain,
    pipelineUuid: content.pipelineUuid,
    sendAt: until,
    isDeferred: true,
    timezone: session.timezone,
    replaceExisting: false,
    toolCallId: null,
    urgent: content.urgent,
    sourceKind: 'push',
    limit: PENDING_LIMIT,
  })
  if (!row) throw tooManyWaiting()
  await appendEvents(db, session.sessionKey, [promiseEvent(row)])
  const sendAt = row.sendAtTs.toISOString()
  return { ...nothingYet(session), status: 'deferred', scheduled_message_id: id, send_at: sendAt }
}

const nothingYet = ({ sessionKey }: Session) => ({
  session_key: sessionKey,
  message_id: null,
  scheduled_message_id: null,
  send_at: null,
  error: null,
})

async function askSession(db: Queryable, push: NewPush): Promise<{ wanted: boolean; quietUntil: Date | null }> {
  const { rows } = await db.query<{ wanted: boolean; quietUntil: Date | null }>(
    `SELECT pushes_off_at IS NULL AS wanted,
       CASE WHEN NOT $2::boolean THEN quiet_until(now(), timezone, quiet_start, quiet_end) END AS quiet_until
     FROM sessions WHERE session_key = $1`,
    [push.sessionKey, push.content.urgent],
  )
  return rows[0]!
}

const otherBody = () =>
  conflict(
    'idempotency_key_reused',
    'this Idempotency-Key was used for another message in the last 24 hours',
    'Use a new key for a new message.',
  )
const optedOut = () =>
  forbidden('recipient_opted_out', 'the recipient wants no pushes', 'They can allow them again in the conversation.')
const tooFast = (name: string, retryAfterSeconds: number) =>
  tooMany('push_limit', `too many pushes for this ${name.split(':')[0]}`, retryAfterSeconds, 'Wait for Retry-After.')
const tooManyWaiting = () =>
  conflict('too_many_waiting', `${PENDING_LIMIT} pushes already wait in this conversation`, 'Wait until they are sent.')

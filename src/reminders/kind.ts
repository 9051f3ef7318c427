import { DateTime } from 'luxon'
import { isCancelling, scheduledMessageWorkflowId } from './contract'
import { KIND_SCHEDULED_MESSAGE, SCHEDULED_MESSAGE_WORKFLOW } from '../contracts/temporal'
import { failScheduledMessage } from './sql/end'
import { cancelScheduledMessages } from './sql/cancel'
import { findScheduledMessage } from './sql/read'
import { SUMMARY_CHARACTERS } from '../engine/promise-kind'
import type { PromiseKind } from '../engine/promise-kind'

/** Private messages for later, and pushes that wait for the end of quiet hours. */
export const SCHEDULED_MESSAGES: PromiseKind = {
  kind: KIND_SCHEDULED_MESSAGE,
  workflowType: SCHEDULED_MESSAGE_WORKFLOW,
  prefix: scheduledMessageWorkflowId(''),
  table: 'scheduled_messages',
  idType: 'uuid',
  sessionColumn: 'session_id',
  followsReader: true,
  dueAt: 'coalesce(p.next_repeat_at, p.send_at_ts)',
  about: 'p.timezone',
  open: `(p.status = 'pending' OR p.next_repeat_at IS NOT NULL)`,
  // One that was handed over is looked after by its delivery, and one that says another again by the other's workflow.
  wanted: `(p.next_repeat_at IS NOT NULL OR (p.status = 'pending' AND p.repeat_of IS NULL
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.scheduled_message_id = p.id)))`,
  // A lost workflow is found before it is due; one that is due this minute is at work.
  stale: `coalesce(p.next_repeat_at, p.send_at_ts) < now() + interval '2 minutes'
    AND coalesce(p.next_repeat_at, p.send_at_ts) NOT BETWEEN now() - interval '1 minute' AND now()`,
  start: ({ id, dueAt, about: timezone }) => ({
    args: { id, sendAtMs: dueAt!.getTime() },
    summary: `Private message, due ${DateTime.fromJSDate(dueAt!, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm:ss')} ${timezone}`,
    delayed: true,
  }),
  async giveUp(pool, id, ending) {
    const message = await findScheduledMessage(pool, id)
    if (!message || (message.status !== 'pending' && message.nextRepeatAt === null)) return false
    if (ending.state === 'failed' && message.status === 'pending') return failScheduledMessage(pool, id, ending.reason)
    const how = {
      sessionKey: message.sessionId,
      id,
      reason: isCancelling(ending.reason) ? ending.reason : 'cancelled',
      workflowKnows: true,
    } as const
    return (await cancelScheduledMessages(pool, how)).length > 0
  },
  words: [
    {
      // Its workflow may still ask how it ended.
      table: 'scheduled_messages',
      where: `t.session_id = ANY ($1) AND t.status <> 'pending'
        AND (t.message_text <> '' OR t.message_chain IS NOT NULL OR t.last_error IS NOT NULL)`,
      set: `message_text = '', message_chain = NULL, last_error = NULL`,
    },
  ],
  old: [{ table: 'scheduled_messages', kept: 'promises', where: `t.updated_at_ts < $1 AND t.status <> 'pending'` }],
  promise: `
    SELECT '${KIND_SCHEDULED_MESSAGE}' AS kind, id::text, session_id AS session_key, bot_uuid, send_at_ts AS due_at,
      status AS state, left(message_text, ${SUMMARY_CHARACTERS}) AS summary,
      '${scheduledMessageWorkflowId('')}' || id AS workflow_id, late_by_ms
    FROM scheduled_messages`,
}

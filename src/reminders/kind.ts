import { DateTime } from 'luxon'
import { scheduledMessageWorkflowId } from './contract'
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
  dueAt: 'p.send_at_ts',
  about: 'p.timezone',
  open: `p.status = 'pending'`,
  // One that was handed over is looked after by its delivery.
  wanted: `p.status = 'pending' AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.scheduled_message_id = p.id)`,
  // A lost workflow is found before it is due; one that is due this minute is at work.
  stale: `p.send_at_ts < now() + interval '2 minutes' AND p.send_at_ts NOT BETWEEN now() - interval '1 minute' AND now()`,
  start: ({ id, dueAt, about: timezone }) => ({
    args: { id, sendAtMs: dueAt!.getTime() },
    summary: `Private message, due ${DateTime.fromJSDate(dueAt!, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm:ss')} ${timezone}`,
    delayed: true,
  }),
  async giveUp(pool, id, ending) {
    const message = await findScheduledMessage(pool, id)
    if (message?.status !== 'pending') return false
    if (ending.state === 'failed') return failScheduledMessage(pool, id, ending.reason)
    const how = { sessionKey: message.sessionId, id, reason: ending.reason, workflowKnows: true }
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

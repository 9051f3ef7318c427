import { deliveryWorkflowId } from '../contracts/delivery'
import { inboundWorkflowId } from './inbound/contract'
import { DELIVERY_WORKFLOW, INBOUND_WORKFLOW, KIND_DELIVERY, KIND_INBOUND } from '../contracts/temporal'
import { giveUpDelivery } from './outgoing/decide'
import { abandonInbound } from './inbound/give-up'
import type { PromiseKind } from '../engine/promise-kind'

/** Only the first of its session that is not over has a workflow: its end starts the next. */
const first = (table: string, order: string, open: string) => `${open} AND NOT EXISTS (
  SELECT 1 FROM ${table} b WHERE b.session_key = p.session_key AND ${open.replaceAll('p.', 'b.')} AND b.${order} < p.${order})`

const PENDING = `p.state = 'pending'`
/** What quiet hours keep back stands beside the line, with a workflow of its own. */
const IN_LINE = `${PENDING} AND p.parked_until IS NULL`
const RECEIVED = `p.state = 'received'`

/** Messages on their way to a platform. */
export const DELIVERIES: PromiseKind = {
  kind: KIND_DELIVERY,
  workflowType: DELIVERY_WORKFLOW,
  prefix: deliveryWorkflowId(''),
  table: 'deliveries',
  idType: 'uuid',
  sessionColumn: 'session_key',
  dueAt: 'p.created_at',
  about: 'p.channel',
  open: PENDING,
  wanted: `(${first('deliveries', 'seq', IN_LINE)} OR ${PENDING} AND p.parked_until IS NOT NULL)`,
  stale: `greatest(p.created_at, p.parked_until) < now() - interval '1 minute'`,
  start: ({ id, about: channel }) => ({ args: { id }, summary: `Message on its way to its platform, ${channel}` }),
  giveUp: (pool, id, { reason }) => giveUpDelivery(pool, id, reason),
  words: [
    {
      table: 'delivery_attempts',
      where: `(t.error IS NOT NULL OR t.receipt IS NOT NULL) AND t.outcome <> 'started' AND t.source_ref IN (
        SELECT 'scheduled_message:' || id FROM scheduled_messages WHERE session_id = ANY ($1) AND status <> 'pending'
        UNION ALL SELECT 'delivery:' || id FROM deliveries WHERE session_key = ANY ($1) AND state <> 'pending')`,
      set: `error = NULL, receipt = NULL`,
    },
    { table: 'deliveries', where: `t.session_key = ANY ($1) AND t.state <> 'pending'` },
  ],
  old: [
    { table: 'deliveries', kept: 'records', where: `t.created_at < $1 AND t.state <> 'pending'` },
    { table: 'delivery_attempts', kept: 'records', where: `t.started_at < $1 AND t.outcome <> 'started'` },
  ],
}

/** Messages from a platform that wait for their answer. */
export const INBOUND: PromiseKind = {
  kind: KIND_INBOUND,
  workflowType: INBOUND_WORKFLOW,
  prefix: inboundWorkflowId(''),
  table: 'inbound_messages',
  idType: 'uuid',
  sessionColumn: 'session_key',
  dueAt: 'p.received_at',
  about: 'p.channel',
  open: RECEIVED,
  wanted: first('inbound_messages', 'seq', RECEIVED),
  stale: `p.received_at < now() - interval '1 minute'`,
  start: ({ id, about: channel }) => ({ args: { id }, summary: `Message from a platform to answer, ${channel}` }),
  giveUp: (pool, id, { reason }) => abandonInbound(pool, id, reason),
  words: [
    {
      // A platform that hands a message in again must be known by it.
      table: 'inbound_messages',
      where: `t.session_key = ANY ($1) AND t.state <> 'received'
        AND (t.content <> '' OR t.message_chain <> '[]' OR t.sender_name IS NOT NULL OR t.error IS NOT NULL
          OR t.action IS NOT NULL)`,
      set: `content = '', message_chain = '[]', sender_name = NULL, error = NULL, action = NULL`,
    },
  ],
  old: [{ table: 'inbound_messages', kept: 'records', where: `t.received_at < $1 AND t.state <> 'received'` }],
}

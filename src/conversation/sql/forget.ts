import type { Queryable } from '../../engine/database'

const BATCH = 5_000

/** Rows that hold a person's words. They are deleted, or, where the row itself is still needed, emptied. */
interface Words {
  table: string
  /** Which rows of `t`, of the sessions `$1`; `$2` says that what is still open goes too. */
  where: string
  /** How they are emptied; the condition must then leave out those that are empty already. */
  set?: string
}

const OF_SESSION = 't.session_key = ANY ($1)'
const OF_ENDED_RUN = `t.run_id IN (SELECT id FROM runs WHERE session_key = ANY ($1) AND status <> 'running')`
const TURN_IS_OPEN = `status IN ('queued', 'running')`

/**
 * The one list of what is to be forgotten with a session, besides its messages. A table that comes to hold words is added
 * here; a test walks the schema and fails for one that is not.
 */
const WORDS: readonly Words[] = [
  { table: 'session_events', where: OF_SESSION },
  // Who asked for what; the sums of its day stay.
  { table: 'model_usage', where: OF_SESSION },
  { table: 'session_memories', where: OF_SESSION },
  {
    table: 'tool_calls',
    where: `${OF_SESSION} AND ($2 OR NOT EXISTS (SELECT 1 FROM turns WHERE id = t.turn_id AND ${TURN_IS_OPEN}))`,
  },
  { table: 'turns', where: `${OF_SESSION} AND ($2 OR NOT t.${TURN_IS_OPEN})` },
  { table: 'artifacts', where: OF_ENDED_RUN },
  { table: 'run_events', where: OF_ENDED_RUN },
  { table: 'run_steps', where: OF_ENDED_RUN },
  { table: 'runs', where: `${OF_SESSION} AND t.status <> 'running'` },
  {
    // A platform that hands a message in again must be known by it.
    table: 'inbound_messages',
    where: `${OF_SESSION} AND t.state <> 'received'
      AND (t.content <> '' OR t.message_chain <> '[]' OR t.sender_name IS NOT NULL OR t.error IS NOT NULL)`,
    set: `content = '', message_chain = '[]', sender_name = NULL, error = NULL`,
  },
  {
    table: 'delivery_attempts',
    where: `(t.error IS NOT NULL OR t.receipt IS NOT NULL) AND t.outcome <> 'started' AND t.source_ref IN (
      SELECT 'scheduled_message:' || id FROM scheduled_messages WHERE session_id = ANY ($1) AND status <> 'pending'
      UNION ALL SELECT 'delivery:' || id FROM deliveries WHERE session_key = ANY ($1) AND state <> 'pending')`,
    set: `error = NULL, receipt = NULL`,
  },
  { table: 'deliveries', where: `${OF_SESSION} AND t.state <> 'pending'` },
  {
    // Its workflow may still ask how it ended.
    table: 'scheduled_messages',
    where: `t.session_id = ANY ($1) AND t.status <> 'pending'
      AND (t.message_text <> '' OR t.message_chain IS NOT NULL OR t.last_error IS NOT NULL)`,
    set: `message_text = '', message_chain = NULL, last_error = NULL`,
  },
  { table: 'automations', where: `${OF_SESSION} AND t.deleted_at IS NOT NULL` },
  {
    // That its slot was run is still needed.
    table: 'automation_runs',
    where: `${OF_SESSION} AND t.state NOT IN ('queued', 'running')
      AND (t.rendered_prompt IS NOT NULL OR t.variables IS NOT NULL OR t.error IS NOT NULL OR t.error_detail IS NOT NULL)`,
    set: `rendered_prompt = NULL, variables = NULL, error = NULL, error_detail = NULL`,
  },
  { table: 'sessions', where: `${OF_SESSION} AND t.title IS NOT NULL`, set: `title = NULL` },
]

/** Tables whose rows are forgotten by other means: messages by conversation, tasks with their person. */
export const FORGOTTEN_TABLES = [...WORDS.map(({ table }) => table), 'message_history', 'tasks']

/** Forgets what was said in these sessions, but for what is still open or promised; with `evenOpen`, also open turns. */
export async function forgetSessions(db: Queryable, sessionKeys: readonly string[], evenOpen = false): Promise<void> {
  if (sessionKeys.length === 0) return
  for (const words of WORDS) await inBatches(db, words, [sessionKeys, evenOpen])
}

/** Deletes rows a few thousand at a time, so that nobody waits for a million; answers how many there were. */
export const deleteInBatches = (db: Queryable, table: string, where: string, values: unknown[]): Promise<number> =>
  inBatches(db, { table, where }, values)

async function inBatches(db: Queryable, { table, where, set }: Words, values: unknown[]): Promise<number> {
  const used = values.filter((_, index) => where.includes(`$${index + 1}`))
  const rows = `ctid = ANY (ARRAY(SELECT t.ctid FROM ${table} t WHERE ${where} LIMIT ${BATCH}))`
  const statement =
    set === undefined ? `DELETE FROM ${table} WHERE ${rows}` : `UPDATE ${table} SET ${set} WHERE ${rows}`
  for (let total = 0; ;) {
    const { rowCount } = await db.query(statement, used)
    total += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) return total
  }
}

import type { Queryable } from '../../engine/database'
import type { Words } from '../../engine/promise-kind'

const BATCH = 5_000

const OF_SESSION = 't.session_key = ANY ($1)'
const TURN_IS_OPEN = `status IN ('queued', 'running')`

/**
 * What is to be forgotten with a session, besides its messages and what its promises hold (`words` of each kind). A table that
 * comes to hold words is added here or to its kind; a test walks the schema and fails for one that is not.
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
  { table: 'sessions', where: `${OF_SESSION} AND t.title IS NOT NULL`, set: `title = NULL` },
]

/** Every table that is forgotten; some by other means: messages by conversation, tasks with their person. */
export const forgottenTables = (ofKinds: readonly Words[]) => [
  ...[...WORDS, ...ofKinds].map(({ table }) => table),
  'message_history',
  'tasks',
]

/** Forgets what was said in these sessions, but for what is still open or promised; with `evenOpen`, also open turns. */
export async function forgetSessions(
  db: Queryable,
  ofKinds: readonly Words[],
  sessionKeys: readonly string[],
  evenOpen = false,
): Promise<void> {
  if (sessionKeys.length === 0) return
  for (const words of [...WORDS, ...ofKinds]) await inBatches(db, words, [sessionKeys, evenOpen])
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

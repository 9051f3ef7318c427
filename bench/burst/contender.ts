import type { Closings } from '../support/run-bench'
import type { Services } from '../support/services'

export interface BurstSetting {
  services: Services
  closings: Closings
  count: number
}

/** Somebody who can promise `count` rows for one instant and then writes them into a table of its own. */
export interface Contender {
  name: string
  /** Its rows appear here; it has the columns and the indexes of our history. */
  table: string
  /** Time between promising and the instant, in seconds. */
  leadSeconds: number
  /** Different phases of the polling are as many bursts. */
  repeats: number
  promise(dueAt: Date): Promise<void>
  /** After all rows are there; answers seconds, if something was left to do. */
  settle?(): Promise<number>
}

/** A table like our message history, with its indexes and defaults. */
export async function createHistoryTable({ pool }: Services, table: string): Promise<void> {
  await pool.query(`CREATE TABLE ${table} (LIKE message_history INCLUDING ALL)`)
}

/** One row like those that a kept promise of ours leaves in the history. */
export const insertOne = (table: string): string => `INSERT INTO ${table} ${COLUMNS} ${selectRow('$1', '$2')}`

/** The same for a whole batch in one statement: `source` has the columns key and ref. */
export const insertMany = (table: string, source: string): string =>
  `INSERT INTO ${table} ${COLUMNS} ${selectRow('key', 'ref')} FROM ${source}`

const COLUMNS = `(bot_uuid, launcher_type, launcher_id, sender_id, message_role, message_content, message_chain, session_key,
  source_kind, source_ref, metadata)`

const selectRow = (key: string, ref: string) =>
  `SELECT 'bench', 'person', ${key}::text, 'bench', 'assistant', '${TEXT}',
     jsonb_build_array(jsonb_build_object('type', 'Plain', 'text', '${TEXT}')), ${key}::text, 'scheduled_send', ${ref}::text,
     jsonb_build_object('scheduled_message_id', ${ref}::text)`

export const TEXT = '该喝水了 — time to drink some water.'

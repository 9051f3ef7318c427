import type { Pool } from 'pg'

/** How much of a promise's words its line in a list shows. */
export const SUMMARY_CHARACTERS = 100

/** What the outbox calls the start of a workflow of this kind. */
export const startOf = (kind: string) => `start_${kind}`

/** What a start is made of, read from the row; `about` is what the kind needs beside the rest. */
export interface StartRow {
  id: string
  workflowId: string | null
  botUuid: string
  sessionKey: string | null
  dueAt: Date | null
  about: string
}

/** What a workflow is told and shown as: ids, times and our own words, never a person's. */
export interface WorkflowStart {
  args: object
  /** What an operator reads in a list. */
  summary: string
  /** The start waits until the promise is due: until then it costs no worker and no cache, and a cancel still wakes it. */
  delayed?: boolean
}

/** How a row ends that its workflow cannot keep any more. */
export type Ending =
  | { state: 'cancelled'; reason: 'cancelled by operator' | 'terminated by operator' | 'session deleted' }
  | { state: 'failed'; reason: string }

/** How long what is over is kept: with the records of what was done, or as a promise that was kept. */
export type KeptFamily = 'records' | 'promises'

/** Rows that are over, and are deleted when they are old. */
export interface OldRows {
  table: string
  kept: KeptFamily
  /** Which rows `t` are over and before `$1`. */
  where: string
}

/** Rows that hold a person's words. They are deleted, or, where the row itself is still needed, emptied. */
export interface Words {
  table: string
  /** Which rows of `t`, of the sessions `$1`; `$2` says that what is still open goes too. */
  where: string
  /** How they are emptied; the condition must then leave out those that are empty already. */
  set?: string
}

/** One kind of rows that workflows keep. Its SQL speaks of the row as `p`. */
export interface PromiseKind {
  /** `PunctualKind` in Temporal. An outbox entry that starts one is called `start_<kind>`. */
  kind: string
  workflowType: string
  /** How the ids of its workflows begin. */
  prefix: string
  table: string
  idType: 'uuid' | 'text'
  sessionColumn: string
  /** The column that holds the id of the row's workflow; absent when it is the prefix and the row's id. */
  workflowColumn?: string
  /** SQL: when it is due. */
  dueAt: string
  /** SQL: what else `start` needs to know. */
  about: string
  /** SQL: the row is not over. */
  open: string
  /** SQL: an open row that wants a workflow of its own now. */
  wanted: string
  /** SQL: of the wanted, those that a workflow should be at work on by now, or soon. */
  stale: string
  start(row: StartRow): WorkflowStart
  /** Ends the row if it is not over, and answers whether it did. What is over, or gone, is an answer and no error. */
  giveUp(pool: Pool, id: string, ending: Ending): Promise<boolean>
  /** Once web chats share a session, what is open of it goes there. */
  followsReader?: true
  /** What is forgotten of it with what was said in a session, in this order. */
  words: readonly Words[]
  /** What is deleted of it once it is old, in this order. */
  old: readonly OldRows[]
  /** SQL: its rows in the one list of promises; absent when they are no promises of their own. */
  promise?: string
  /** SQL: when what is still promised is due, one row each; the open rows themselves unless told. */
  pending?: string
}

import path from 'node:path'
import { writeWhole } from '../engine/files'
import type { HistoryStore } from './sql/history'

const BATCH = 5_000

export interface RetentionParts {
  history: Pick<HistoryStore, 'findOld' | 'deleteArchived'>
  /** Nothing is old without it. */
  days: number | undefined
  folder: string
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
  batch?: number
  /** Deletes what is over and past its time in all other tables. */
  prune?(onBatch: () => void): Promise<number>
}

/** Moves old messages out of the table into files; answers how many. Told after each batch that it lives. */
export type Retention = (onBatch: () => void) => Promise<number>

/**
 * One batch after the other: a file of JSON lines is written and on the disk before the same rows are deleted. A crash in
 * between leaves the file and the rows; the next pass takes the same rows and writes the same file again.
 */
export function createRetention({
  history,
  days,
  folder,
  crashPoint,
  batch = BATCH,
  prune,
}: RetentionParts): Retention {
  return async (onBatch) => {
    let archived = 0
    while (days !== undefined) {
      const { ids, rows } = await history.findOld(days, batch)
      if (ids.length === 0) break
      await writeWhole(path.join(folder, nameOf(ids)), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      crashPoint('archive_written')
      archived += await history.deleteArchived(ids)
      onBatch()
      if (ids.length < batch) break
    }
    await prune?.(onBatch)
    return archived
  }
}

const nameOf = (ids: readonly number[]) => `message_history_${Math.min(...ids)}-${Math.max(...ids)}_${ids.length}.jsonl`

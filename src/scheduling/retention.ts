import { mkdir, open, rename } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '../contracts/words'
import type { HistoryStore } from '../store/history'

const BATCH = 5_000

export interface RetentionParts {
  history: Pick<HistoryStore, 'findOld' | 'deleteArchived'>
  /** Nothing is old without it. */
  days: number | undefined
  folder: string
  /** Test only: a place where the process may be made to die. */
  crashPoint(name: string): void
  batch?: number
}

/** Moves old messages out of the table into files; answers how many. Told after each batch that it lives. */
export type Retention = (onBatch: () => void) => Promise<number>

/**
 * One batch after the other: a file of JSON lines is written and on the disk before the same rows are deleted. A crash in
 * between leaves the file and the rows; the next pass takes the same rows and writes the same file again.
 */
export function createRetention({ history, days, folder, crashPoint, batch = BATCH }: RetentionParts): Retention {
  return async (onBatch) => {
    let archived = 0
    while (days !== undefined) {
      const { ids, rows } = await history.findOld(days, batch)
      if (ids.length === 0) break
      await writeDown(folder, nameOf(ids), rows)
      crashPoint('archive_written')
      archived += await history.deleteArchived(ids)
      onBatch()
      if (ids.length < batch) break
    }
    return archived
  }
}

const nameOf = (ids: readonly number[]) => `message_history_${Math.min(...ids)}-${Math.max(...ids)}_${ids.length}.jsonl`

/** Whole and on the disk, or not there under its name: the file, then the folder that names it. */
async function writeDown(folder: string, name: string, rows: readonly JsonObject[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = path.join(folder, `${name}.${process.pid}.draft`)
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path.join(folder, name))
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}

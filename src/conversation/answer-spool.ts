import { readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { errorCode } from '../errors'
import { writeWhole } from '../engine/files'
import { isStorageAway } from '../engine/storage-away'
import { createSingleFlight } from '../engine/waiting'
import type { TurnResult } from './sql/end-turn'
import type { TurnFence } from '../engine/session-writes'
import type { TurnStore } from './sql/turn-store'

const TRY_AGAIN_MS = 5_000

export interface SpooledAnswer {
  sessionKey: string
  turn: TurnFence
  result: TurnResult
}

/** Answers that PostgreSQL would not take, on the disk until it does: the person has read them already. */
export interface AnswerSpool {
  keep(answer: SpooledAnswer): Promise<void>
  /** Writes what it can; answers how many are left. */
  drain(): Promise<number>
  waiting(): Promise<number>
  /** Drops what was said in these sessions. */
  forget(sessionKeys: readonly string[]): Promise<void>
  stop(): Promise<void>
}

export function createAnswerSpool(parts: {
  folder: string
  turns: Pick<TurnStore, 'end' | 'addLateAnswer'>
  logger: Logger
  onFailure(): void
}): AnswerSpool {
  const { folder, turns, logger } = parts
  let timer: NodeJS.Timeout | undefined
  const draining = createSingleFlight(drainAll)
  let stopped = false

  const list = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()

  /** The turn may have been closed meanwhile: then the answer follows the closing. Either way it is there once. */
  async function write({ sessionKey, turn, result }: SpooledAnswer): Promise<void> {
    try {
      await turns.end(sessionKey, turn, result)
    } catch (error) {
      if (errorCode(error) === 'turn_lost') await turns.addLateAnswer(sessionKey, turn.turnId, result.message)
      else if (errorCode(error) !== 'not_found') throw error
    }
  }

  /** Null when another process was faster, or when the file is no answer: then it is put aside for a person to look at. */
  async function read(file: string): Promise<SpooledAnswer | null> {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text === null) return null
    try {
      return JSON.parse(text) as SpooledAnswer
    } catch {
      logger.error({ file }, 'a kept answer cannot be read and is put aside')
      await rename(file, `${file}.unreadable`)
      return null
    }
  }

  async function drainAll(): Promise<number> {
    for (const name of await list()) {
      const file = path.join(folder, name)
      try {
        const answer = await read(file)
        if (answer) await write(answer)
        await rm(file, { force: true })
      } catch (error) {
        logger.warn({ code: errorCode(error), file: name }, 'an answer still cannot be stored')
        if (isStorageAway(error)) break
      }
    }
    const left = (await list()).length
    if (left > 0 && !stopped) drainLater()
    return left
  }

  function drainLater(): void {
    timer ??= setTimeout(() => ((timer = undefined), void draining.join()), TRY_AGAIN_MS)
  }

  return {
    async keep(answer) {
      parts.onFailure()
      await writeWhole(path.join(folder, `${answer.turn.turnId}.json`), JSON.stringify(answer))
      drainLater()
    },
    drain: draining.join,
    waiting: async () => (await list()).length,
    async forget(sessionKeys) {
      for (const name of await list()) {
        const file = path.join(folder, name)
        const answer = await read(file)
        if (answer && sessionKeys.includes(answer.sessionKey)) await rm(file, { force: true })
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await draining.current()?.catch(() => undefined)
    },
  }
}

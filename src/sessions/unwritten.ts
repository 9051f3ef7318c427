import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { errorCode } from '../errors'
import type { TurnResult } from '../store/end-turn'
import type { TurnFence } from '../store/session-writes'
import type { TurnStore } from '../store/turn-store'

const TRY_AGAIN_MS = 5_000

export interface UnwrittenAnswer {
  sessionKey: string
  turn: TurnFence
  result: TurnResult
}

/** Answers that PostgreSQL would not take, on the disk until it does: the person has read them already. */
export interface Unwritten {
  keep(answer: UnwrittenAnswer): Promise<void>
  /** Writes what it can; answers how many are left. */
  drain(): Promise<number>
  waiting(): Promise<number>
  stop(): Promise<void>
}

export function createUnwritten(parts: {
  folder: string
  turns: Pick<TurnStore, 'end' | 'addLateAnswer'>
  logger: Logger
  onFailure(): void
}): Unwritten {
  const { folder, turns, logger } = parts
  let timer: NodeJS.Timeout | undefined
  let draining: Promise<number> | undefined
  let stopped = false

  const list = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()

  /** The turn may have been closed meanwhile: then the answer follows the closing. Either way it is there once. */
  async function write({ sessionKey, turn, result }: UnwrittenAnswer): Promise<void> {
    try {
      await turns.end(sessionKey, turn, result)
    } catch (error) {
      if (errorCode(error) === 'turn_lost') await turns.addLateAnswer(sessionKey, turn.turnId, result.message)
      else if (errorCode(error) !== 'not_found') throw error
    }
  }

  async function drainAll(): Promise<number> {
    for (const name of await list()) {
      const file = path.join(folder, name)
      try {
        await write(JSON.parse(await readFile(file, 'utf8')) as UnwrittenAnswer)
        await rm(file)
      } catch (error) {
        logger.warn({ code: errorCode(error) }, 'an answer still cannot be stored')
        break
      }
    }
    const left = (await list()).length
    if (left > 0 && !stopped) timer ??= setTimeout(() => ((timer = undefined), void drain()), TRY_AGAIN_MS)
    return left
  }

  function drain(): Promise<number> {
    draining ??= drainAll().finally(() => (draining = undefined))
    return draining
  }

  return {
    async keep(answer) {
      parts.onFailure()
      await writeDown(folder, `${answer.turn.turnId}.json`, JSON.stringify(answer))
      timer ??= setTimeout(() => ((timer = undefined), void drain()), TRY_AGAIN_MS)
    },
    drain,
    waiting: async () => (await list()).length,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await draining?.catch(() => undefined)
    },
  }
}

/** On the disk before anyone is told. */
async function writeDown(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, name)
  const draft = await open(`${file}.draft`, 'w', 0o600)
  await draft
    .writeFile(text)
    .then(() => draft.sync())
    .finally(() => draft.close())
  await rename(`${file}.draft`, file)
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}

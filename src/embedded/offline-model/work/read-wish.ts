import type { JsonObject, Language } from '../../../contracts/words'
import { toPlainChinese } from '../reminders/plain-chinese'
import { readAppMaking } from './read-app-making'
import { readDrawing } from './read-drawing'
import { readGroupReading } from './read-group-reading'
import { readRepository } from './read-repository'
import { readSearching } from './read-searching'
import { DRAW, MAKE_APP, MARK_READ, REPOSITORY, SEARCH } from './tools'

/** The arguments that one sentence names for one tool; undefined when the tool is not meant. */
export type ReadWish = (wish: string, plain: string, language: Language) => JsonObject | undefined

export interface Work {
  aiName: string
  args: JsonObject
}

const READERS: readonly [string, ReadWish][] = [
  [MARK_READ, readGroupReading],
  [REPOSITORY, readRepository],
  [DRAW, readDrawing],
  [MAKE_APP, readAppMaking],
  [SEARCH, readSearching],
]
/** What reminders are made of; "查一下我的提醒" is no search. */
const REMINDERS = /提醒|闹钟|定时|remind|\balarms?\b/i

export function readWork(wish: string, language: Language): Work | undefined {
  const plain = language === 'zh' ? toPlainChinese(wish) : wish
  if (REMINDERS.test(plain)) return undefined
  for (const [aiName, read] of READERS) {
    const args = read(wish, plain, language)
    if (args) return { aiName, args }
  }
  return undefined
}

import type { Conversation } from '../conversation'
import { afterStart } from './clock'
import { readTaskSelector } from './pick-task'
import { ASKS } from './phrase-refusal'
import { cleanTitle } from './read-create'
import { readTaskWish } from './read-wish'
import type { TaskWish } from './read-wish'
import { takeWhen } from './take-when'
import { hasTime, mergeWhen } from './when'
import type { When } from './when'

const DEEPEST = 4

/** A sentence after we asked for something is the answer to it: the wish before it, completed. */
export function readAnsweredWish(conversation: Conversation, depth = 0): TaskWish | undefined {
  const { earlier } = conversation
  const [before, asked] = earlier.slice(-2)
  if (asked?.role !== 'assistant' || before?.role !== 'user' || depth === DEEPEST) return undefined
  const ask = (Object.keys(ASKS) as (keyof typeof ASKS)[]).find((name) =>
    Object.values(ASKS[name]).some((words) => asked.text.endsWith(words)),
  )
  if (ask === undefined) return undefined
  const then = { ...conversation, text: before.text, earlier: earlier.slice(0, -2), results: [] }
  const wish = readAnsweredWish(then, depth + 1) ?? readTaskWish(then)
  return wish && complete(wish, ask, conversation)
}

function complete(wish: TaskWish, ask: keyof typeof ASKS, conversation: Conversation): TaskWish | undefined {
  if (wish.kind === 'query') return undefined
  if (ask === 'which' && wish.kind !== 'create') return choose(wish, conversation)
  const taken = takeWhen(conversation.text, conversation)
  if (ask === 'title' && wish.kind === 'create') return { ...wish, title: cleanTitle(taken.rest) }
  if (!hasTime(taken) || isWishOfItsOwn(taken.rest, conversation)) return undefined
  return { ...wish, when: ask === 'end' ? withEnd(wish.when, taken.when) : mergeWhen(wish.when, taken.when) }
}

/** "今天跑步" says more than a time: it is another task. */
function isWishOfItsOwn(rest: string, { language }: Conversation): boolean {
  const words = rest.replaceAll(/改到|改成|改为|换到|换成|推迟到|那就?|就|到|至|吧|可以|好的?|结束|开始/g, ' ')
  return language === 'zh' && cleanTitle(words) !== undefined
}

function choose(wish: Exclude<TaskWish, { kind: 'create' | 'query' }>, conversation: Conversation): TaskWish {
  const answer = readTaskSelector(conversation.text, conversation)
  const { when, words } = wish.selector
  return { ...wish, selector: { ...answer, words: answer.words ?? words, when: { ...when, ...answer.when } } }
}

/** "5点" after "下午4点" is five in the afternoon. */
function withEnd(wish: When, said: When): When {
  if (said.endTime !== undefined || said.startTime === undefined || wish.startTime === undefined)
    return mergeWhen(wish, said)
  const [hour = 0, minute = 0] = said.startTime.split(':').map(Number)
  const isEarly = said.startTime <= wish.startTime && hour < 12
  return { ...wish, endTime: isEarly ? afterStart(wish.startTime, hour, minute) : said.startTime }
}

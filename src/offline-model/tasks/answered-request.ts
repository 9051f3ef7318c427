import type { Conversation } from '../conversation'
import { readTaskRequest } from './change-request'
import type { TaskRequest } from './change-request'
import { cleanTitle } from './create-request'
import { readTaskSelector } from './pick-task'
import { ASKS } from './results'
import { afterStart, hasTime, mergeWhen, takeWhen } from './when'
import type { When } from './when'

const DEEPEST = 4

/** A sentence after we asked for something is the answer to it: the request before it, completed. */
export function readAnsweredRequest(conversation: Conversation, depth = 0): TaskRequest | undefined {
  const { earlier } = conversation
  const [before, asked] = earlier.slice(-2)
  if (asked?.role !== 'assistant' || before?.role !== 'user' || depth === DEEPEST) return undefined
  const ask = (Object.keys(ASKS) as (keyof typeof ASKS)[]).find((name) =>
    Object.values(ASKS[name]).some((words) => asked.text.endsWith(words)),
  )
  if (ask === undefined) return undefined
  const then = { ...conversation, text: before.text, earlier: earlier.slice(0, -2), results: [] }
  const request = readAnsweredRequest(then, depth + 1) ?? readTaskRequest(then)
  return request && complete(request, ask, conversation)
}

function complete(request: TaskRequest, ask: keyof typeof ASKS, conversation: Conversation): TaskRequest | undefined {
  if (request.kind === 'query') return undefined
  if (ask === 'which' && request.kind !== 'create') return choose(request, conversation)
  const taken = takeWhen(conversation.text, conversation)
  if (ask === 'title' && request.kind === 'create') return { ...request, title: cleanTitle(taken.rest) }
  if (!hasTime(taken) || isRequestOfItsOwn(taken.rest, conversation)) return undefined
  return { ...request, when: ask === 'end' ? withEnd(request.when, taken.when) : mergeWhen(request.when, taken.when) }
}

/** "今天跑步" says more than a time: it is another task. */
function isRequestOfItsOwn(rest: string, { language }: Conversation): boolean {
  const words = rest.replaceAll(/改到|改成|改为|换到|换成|推迟到|那就?|就|到|至|吧|可以|好的?|结束|开始/g, ' ')
  return language === 'zh' && cleanTitle(words) !== undefined
}

function choose(request: Exclude<TaskRequest, { kind: 'create' | 'query' }>, conversation: Conversation): TaskRequest {
  const answer = readTaskSelector(conversation.text, conversation)
  const { when, words } = request.selector
  return { ...request, selector: { ...answer, words: answer.words ?? words, when: { ...when, ...answer.when } } }
}

/** "5点" after "下午4点" is five in the afternoon. */
function withEnd(request: When, said: When): When {
  if (said.endTime !== undefined || said.startTime === undefined || request.startTime === undefined)
    return mergeWhen(request, said)
  const [hour = 0, minute = 0] = said.startTime.split(':').map(Number)
  const isEarly = said.startTime <= request.startTime && hour < 12
  return { ...request, endTime: isEarly ? afterStart(request.startTime, hour, minute) : said.startTime }
}

import { toPlainChinese } from '../reminders/plain-chinese'
import type { Conversation } from '../conversation'
import type { ShownTask } from './phrases'
import { toNumber } from './clock'
import { lastAnswer, quotedTitles } from './task-talk'
import { takeWhen } from './take-when'
import type { When } from './when'

/** Which task a person means, as they said it. */
export interface TaskSelector {
  number?: number
  words?: string
  when: When
  isAll: boolean
}

const NUMBER =
  /第\s*([0-9]{1,3}|[一二两三四五六七八九十]{1,2})\s*[个条项]?|^\s*([0-9]{1,3})\s*[个条号.]?\s*$|\b(?:task|number|#)\s*([0-9]{1,3})\b/i
const ALL = /所有|全部|全都|都|\ball\b|\bevery/i
const FILLERS =
  /任务|待办事项|待办|日程|事项|这个|那个|这条|那条|刚才|刚刚|所有|全部|全都|标记|状态|优先级|标题|名字|时间|已经|一下|请|麻烦|帮我|帮忙|我的|我|你|把|将|给|它|都|的|了|吧|要|想|掉|是|为|在|去掉|[\s,，。.!！?？~～、:：“”"']|\b(?:please|the|my|a|an|that|this|it|one|tasks?|to-?dos?|about|called|named|of|as|all|i|have|am|with)\b/gi

export function readTaskSelector(wish: string, conversation: Conversation): TaskSelector {
  const { when, rest } = takeWhen(wish, conversation)
  const number = NUMBER.exec(toPlainChinese(rest))
  const isAll = ALL.test(rest)
  if (number) return { number: toNumber(number[1] ?? number[2] ?? number[3] ?? ''), when, isAll: false }
  const words = rest.replaceAll(FILLERS, ' ').trim().replaceAll(/\s+/g, ' ')
  return { ...(words === '' ? {} : { words }), when, isAll }
}

/** One, several to choose from, or none. Unsaid, it is the one we spoke of last, or the only one. */
export function pickTasks(tasks: ShownTask[], selector: TaskSelector, conversation: Conversation): ShownTask[] {
  const fitting = tasks.filter((task) => fits(task, selector))
  if (selector.number !== undefined) return fitting.slice(selector.number - 1, selector.number)
  const isSaid = selector.words !== undefined || Object.keys(selector.when).length > 0 || selector.isAll
  if (isSaid) return fitting
  const spokenOf = quotedTitles(lastAnswer(conversation)).at(-1)
  const meant = fitting.filter(({ title }) => title === spokenOf)
  return meant.length > 0 ? meant.slice(0, 1) : fitting
}

function fits(task: ShownTask, { words, when }: TaskSelector): boolean {
  const isThen = (['dueDate', 'startTime', 'timeSegment'] as const).every(
    (field) => when[field] === undefined || when[field] === task[field],
  )
  return isThen && (words === undefined || isAbout(task.title, words))
}

/** Every word of it, or the title inside it: "买完东西" is about "去买东西". */
function isAbout(title: string, words: string): boolean {
  const [plain, said] = [title.toLowerCase(), words.toLowerCase()]
  if (said.split(' ').every((word) => plain.includes(word)) || said.includes(plain)) return true
  const letters = [...said.replaceAll(/[完好去到\s]/g, '')].filter((letter) => /\p{Script=Han}/u.test(letter))
  return letters.length >= 2 && letters.every((letter) => plain.includes(letter))
}

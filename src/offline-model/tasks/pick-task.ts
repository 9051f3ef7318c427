import type { TimeSegment } from '../../tasks/contract'
import { lastAnswer } from '../conversation'
import type { Conversation } from '../conversation'
import { toNumber, toPlainChinese } from '../words/chinese-text'
import { phraseLine } from './results'
import type { ShownTask } from './results'
import { takeWhen } from './when'
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

export function readTaskSelector(said: string, conversation: Conversation): TaskSelector {
  const { when, rest } = takeWhen(said, conversation)
  const number = NUMBER.exec(toPlainChinese(rest))
  const isAll = ALL.test(rest)
  if (number) return { number: toNumber(number[1] ?? number[2] ?? number[3] ?? ''), when, isAll: false }
  const words = rest.replaceAll(FILLERS, ' ').trim().replaceAll(/\s+/g, ' ')
  return { ...(words === '' ? {} : { words }), when, isAll }
}

/** One, several to choose from, or none. Unsaid, it is the one we spoke of last, or the only one. */
export function pickTasks(tasks: ShownTask[], selector: TaskSelector, conversation: Conversation): ShownTask[] {
  const fitting = tasks.filter((task) => fits(task, selector))
  if (selector.number !== undefined) return pickByNumber(tasks, selector.number, lastAnswer(conversation))
  const isSaid = selector.words !== undefined || Object.keys(selector.when).length > 0 || selector.isAll
  if (isSaid) return fitting
  const spokenOf = quotedTitles(lastAnswer(conversation)).at(-1)
  const meant = fitting.filter(({ title }) => title === spokenOf)
  return meant.length > 0 ? meant.slice(0, 1) : fitting
}

/** A number counts in the list that the person saw last; without one, in the list of open tasks. */
function pickByNumber(tasks: ShownTask[], number: number, shown: string): ShownTask[] {
  const lines = shown.split('\n').filter((line) => /^\s*\d+[.、]/.test(line))
  if (lines.length === 0) return tasks.slice(number - 1, number)
  const line = lines.find((each) => Number.parseInt(each, 10) === number)?.replace(/^\s*\d+[.、]\s*/, '')
  return tasks.filter((task) => [phraseLine(task, 'zh'), phraseLine(task, 'en')].includes(line ?? '')).slice(0, 1)
}

function fits(task: ShownTask, { words, when }: TaskSelector): boolean {
  const isThen = (['dueDate', 'startTime'] as const).every(
    (field) => when[field] === undefined || when[field] === task[field],
  )
  const isInPart = when.timeSegment === undefined || [task.timeSegment, segmentOf(task)].includes(when.timeSegment)
  return isThen && isInPart && (words === undefined || isAbout(task.title, words))
}

/** 下午的买东西 may be one from 16:00 to 17:00. */
function segmentOf({ startTime }: ShownTask): TimeSegment | undefined {
  if (startTime === '') return undefined
  return startTime < '12:00' ? 'morning' : startTime < '18:00' ? 'afternoon' : 'evening'
}

/** Every word of it, or the title inside it: "买完东西" is about "去买东西". */
function isAbout(title: string, words: string): boolean {
  const [plain, said] = [title.toLowerCase(), words.toLowerCase()]
  if (said.split(' ').every((word) => plain.includes(word)) || said.includes(plain)) return true
  const letters = [...said.replaceAll(/[完好去到\s]/g, '')].filter((letter) => /\p{Script=Han}/u.test(letter))
  return letters.length >= 2 && letters.every((letter) => plain.includes(letter))
}

export const TASK_NOUN = /(?<!自动|自动化|定时)任务|待办|日程|(?<!scheduled )\btasks?\b|\bto-?dos?\b/i
export const REMINDER_NOUN = /提醒|闹钟|闹铃|定时|\b(?:reminders?|alarms?|remind)\b/i

/** In the profile for tasks every sentence is about them; elsewhere it must be said, or have been talked about just now. */
export function isAboutTasks(conversation: Conversation): boolean {
  const { text, facts } = conversation
  if (facts.pipeline === 'tasks') return true
  if (TASK_NOUN.test(text)) return true
  return !REMINDER_NOUN.test(text) && TASK_NOUN.test(lastAnswer(conversation))
}

/** The titles in quotes in what we said last. */
export function quotedTitles(text: string): string[] {
  return [...text.matchAll(/任务“([^”]+)”|task "([^"]+)"/g)].map(([, zh, en]) => zh ?? en ?? '')
}

export const saysNo = (text: string): boolean => /不|别|算了|\b(?:no|not|don'?t|keep)\b/i.test(text)
export const saysYes = (text: string): boolean =>
  !saysNo(text) &&
  text.length <= 30 &&
  /^\s*(?:好|要|是|嗯|可以|行|对|确认|取消吧|改吧|一起|yes|yeah|ok|okay|sure|please|do)/i.test(text)

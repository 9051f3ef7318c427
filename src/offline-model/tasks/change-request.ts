import type { JsonObject } from '../../contracts/words'
import type { Conversation } from '../conversation'
import { toPlainChinese } from '../words/chinese-text'
import { cleanTitle, minutesOf, readCreate, REMIND_BEFORE } from './create-request'
import type { CreateRequest } from './create-request'
import { isAboutTasks, readTaskSelector, REMINDER_NOUN, TASK_NOUN } from './pick-task'
import type { TaskSelector } from './pick-task'
import { readQuery } from './query-request'
import type { QueryRequest } from './query-request'
import { hasTime, takeWhen } from './when'
import type { When } from './when'

/** A request about a task that has to be found first. */
export interface TargetRequest {
  kind: 'delete' | 'complete' | 'update' | 'remind'
  selector: TaskSelector
  /** Of an update: the new time, and what else changes. */
  when: When
  change: JsonObject
  minutesBefore?: number
}
export type TaskRequest = CreateRequest | QueryRequest | TargetRequest

const MOVE = /(?:改期?|挪|换|调整?|推迟|延后|延迟|延长?|提前|推|移)(?:一下)?(?:时间)?(?:到|成|为|至|在)/
const RENAME = /(?:改名|重命名|标题改|名字改)(?:叫|为|成)/
const PRIORITY =
  /优先级(?:改|设|调|提高|降低)?(?:到|成|为|置为)?\s*(高|中|低)|(?:改|设|调)(?:到|成|为)\s*(高|中|低)优先级/
const DELETE = /删除|删掉|删了|删|取消|移除|去掉/
const COMPLETE = /标记为?(?:已)?完成|已?完成|做完|办完|搞定|办好/
const ENGLISH_MOVE = /\b(?:move|change|reschedule|push|postpone)\b(.{0,80}?)\b(?:to|until|for)\s+(.+)$/i
const ENGLISH_DELETE = /\b(?:delete|remove|cancel|drop)\b/i
const ENGLISH_COMPLETE = /\b(?:completed?|finish(?:ed)?|done|check off|mark)\b/i
const PRIORITIES: Record<string, string> = { 高: 'high', 中: 'medium', 低: 'low' }

/** What a sentence wants with tasks; undefined when it wants nothing with them. */
export function readTaskRequest(conversation: Conversation): TaskRequest | undefined {
  return readTarget(conversation) ?? readQuery(conversation) ?? readCreate(conversation)
}

function readTarget(conversation: Conversation): TargetRequest | undefined {
  const { text, facts } = conversation
  if (!isAboutTasks(conversation)) return undefined
  if (facts.pipeline !== 'tasks' && REMINDER_NOUN.test(text) && !TASK_NOUN.test(text) && !REMIND_BEFORE.test(text))
    return undefined
  return conversation.language === 'zh' ? readChinese(conversation) : readEnglish(conversation)
}

function readChinese(conversation: Conversation): TargetRequest | undefined {
  const plain = toPlainChinese(conversation.text)
  const target = (kind: TargetRequest['kind'], words: string, more: Partial<TargetRequest> = {}): TargetRequest => ({
    kind,
    selector: readTaskSelector(words, conversation),
    when: {},
    change: {},
    ...more,
  })
  const before = REMIND_BEFORE.exec(plain)
  if (before) {
    const words = plain.replace(REMIND_BEFORE, '')
    const isAlone = !hasTime(takeWhen(words, conversation)) && (words.trim() === '' || TASK_NOUN.test(words))
    return isAlone ? target('remind', words, { minutesBefore: minutesOf(before) }) : undefined
  }
  if (/[吗？?]\s*$|哪些|什么|列出|查看|看看/.test(plain)) return undefined
  const update = readChange(plain, conversation)
  if (update) return target('update', update.words, update)
  const isDelete = DELETE.exec(plain)
  if (isDelete) return target('delete', plain.replace(DELETE, ' '))
  const isComplete = /未完成|没完成/.test(plain) ? null : COMPLETE.exec(plain)
  return isComplete ? target('complete', plain.replace(COMPLETE, ' ')) : undefined
}

function readChange(
  plain: string,
  conversation: Conversation,
): (Partial<TargetRequest> & { words: string }) | undefined {
  const priority = PRIORITY.exec(plain)
  // "11月25日14:00 复诊，优先级高" is a new task: nothing in it says that something changes.
  const isNew = !/[改设调把将]|提高|降低/.test(plain) && takeWhen(plain, conversation).when.dueDate !== undefined
  if (priority && !isNew) {
    const level = PRIORITIES[priority[1] ?? priority[2] ?? ''] ?? 'medium'
    return { words: plain.slice(0, priority.index), change: { priority: level } }
  }
  const rename = RENAME.exec(plain)
  if (rename) {
    const title = cleanTitle(plain.slice(rename.index + rename[0].length))?.replaceAll(/[“”"]/g, '')
    return title === undefined ? undefined : { words: plain.slice(0, rename.index), change: { title } }
  }
  const move = MOVE.exec(plain)
  if (!move) return undefined
  const taken = takeWhen(plain.slice(move.index + move[0].length), conversation)
  const { startTime, ...rest } = taken.when
  // "延长到6点" gives a new end.
  const when = /延长/.test(move[0]) && startTime !== undefined ? { ...rest, endTime: startTime } : taken.when
  return hasTime(taken) ? { words: plain.slice(0, move.index), when } : undefined
}

function readEnglish(conversation: Conversation): TargetRequest | undefined {
  const { text } = conversation
  if (/\?\s*$/.test(text) || /^\s*(?:add|create|make|list|show|what)\b/i.test(text)) return undefined
  const target = (kind: TargetRequest['kind'], words: string, when: When = {}): TargetRequest => ({
    kind,
    selector: readTaskSelector(words, conversation),
    when,
    change: {},
  })
  const move = ENGLISH_MOVE.exec(text)
  const taken = move && takeWhen(move[2] ?? '', conversation)
  if (move && taken && hasTime(taken)) return target('update', move[1] ?? '', taken.when)
  if (ENGLISH_DELETE.test(text)) return target('delete', text.replace(ENGLISH_DELETE, ' '))
  return ENGLISH_COMPLETE.test(text)
    ? target('complete', text.replaceAll(new RegExp(ENGLISH_COMPLETE, 'gi'), ' '))
    : undefined
}

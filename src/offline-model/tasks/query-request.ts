import { DateTime } from 'luxon'
import type { JsonObject } from '../../contracts/words'
import type { Conversation } from '../conversation'
import { toPlainChinese } from '../words/chinese-text'
import { REMINDER_NOUN } from './pick-task'
import { takeWhen } from './when'

export interface QueryRequest {
  kind: 'query'
  filter: JsonObject
}

const NOUN = '任务|待办|日程|安排'
const CHINESE = new RegExp(
  `(?:哪些|什么|啥|几个|几项|多少|有没有|列出|列一下|列表|查看|查一?下|查询|看看|看一下|看下|显示|所有|全部|我的|还有).*(?:${NOUN})|(?:${NOUN}).*(?:哪些|列表|什么|几个|多少|[吗呢？?])|^\\s*(?:${NOUN})\\s*$`,
)
/** Where only tasks are talked of, "今天要做什么" asks for them too. */
const BROAD = /(?:有|要做?|做|干)(?:些|点|了)?(?:什么|啥|哪些)(?:事|要做)?/
const ENGLISH =
  /\b(?:what|which|any|list|show|see|view|my|all|how many)\b.*\b(?:tasks?|to-?dos?)\b|^\s*(?:tasks?|to-?dos?)\s*\??\s*$/i
const OTHER_REQUEST =
  /删|取消|移除|改到|改成|推迟|创建|新建|添加|新增|\b(?:delete|remove|move|complete|finish|add|create|mark|cancel)\b/i

/** "我有哪些任务？", "明天有什么安排", "what are my tasks". */
export function readQuery(conversation: Conversation): QueryRequest | undefined {
  const { language, facts } = conversation
  const text = language === 'zh' ? toPlainChinese(conversation.text) : conversation.text
  const isAsked =
    language === 'zh'
      ? CHINESE.test(text) || isDayAndNoun(text, conversation) || (facts.pipeline === 'tasks' && BROAD.test(text))
      : ENGLISH.test(text)
  if (!isAsked || OTHER_REQUEST.test(text) || (facts.pipeline !== 'tasks' && REMINDER_NOUN.test(text))) return undefined
  return { kind: 'query', filter: { ...statusIn(text), ...priorityIn(text), ...daysIn(text, conversation) } }
}

/** 今天的任务: a day and the word alone ask for them. */
function isDayAndNoun(text: string, conversation: Conversation): boolean {
  const { when, rest } = takeWhen(text, conversation)
  return Object.keys(when).length > 0 && new RegExp(`^[\\s的我有]*(?:${NOUN})[\\s。.!！]*$`).test(rest)
}

function statusIn(text: string): JsonObject {
  if (/未完成|没完成|没做完|待完成|\b(?:open|pending|unfinished)\b/i.test(text)) return { status: 'pending' }
  if (/已完成|完成了|做完|完成的|\b(?:completed|finished|done)\b/i.test(text)) return { status: 'completed' }
  return /所有|全部|\ball\b/i.test(text) ? {} : { status: 'pending' }
}

function priorityIn(text: string): JsonObject {
  const level = /(高|中|低)优先级|\b(high|medium|low)[- ]priority\b/i.exec(text)
  const words: Record<string, string> = { 高: 'high', 中: 'medium', 低: 'low' }
  return level ? { priority: words[level[1] ?? ''] ?? level[2]?.toLowerCase() ?? 'medium' } : {}
}

/** A week is a span, a day is a day. */
function daysIn(text: string, conversation: Conversation): JsonObject {
  const week = /(本|这|这个|下|下个)(?:周|星期|礼拜)(?![一二三四五六日天末1-7])|\b(this|next) week\b/i.exec(text)
  const { now } = conversation.facts
  if (week && now !== undefined) {
    const isNext = /下|next/i.test(week[0])
    const monday = DateTime.fromISO(now.slice(0, 10))
      .startOf('week')
      .plus({ weeks: isNext ? 1 : 0 })
    return { dueDateFrom: monday.toFormat('yyyy-MM-dd'), dueDateTo: monday.plus({ days: 6 }).toFormat('yyyy-MM-dd') }
  }
  const { dueDate } = takeWhen(text, conversation).when
  return dueDate === undefined ? {} : { dueDate }
}

import type { Conversation } from '../conversation'
import { toPlainChinese } from './plain-chinese'
import type { Selector } from './selector'
import { readSelector } from './selector'
import { takeTimeOut } from './take-time-out'

export interface MoveWish {
  /** In the person's words; undefined when they only said by how much. */
  time: string | undefined
  selector: Selector
}

const CHINESE_MOVE = /(?:改期?|挪|换|调整?|推迟|延后|延迟|延|提前|推|移)(?:一下)?(?:时间)?(?:到|成|为|至|在)/
const CHINESE_BY = /推迟|延后|延迟|提前/
const ENGLISH_MOVE =
  /\b(?:move|change|reschedule|push|shift|postpone|delay|bring)\b(.{0,80}?)\b(?:to|until|till|for)\s+(.+)$|\bmake\s+(it)\s+(.+)$/i
const ENGLISH_BY = /\b(?:postpone|delay|snooze|push back)\b/i
const REMINDER = /提醒|闹钟|定时|\b(?:reminders?|alarms?|it|that|this)\b/i

/** Undefined when nothing is to be moved: "提醒我把会议改到10点" sets a reminder. */
export function readMoveWish(conversation: Conversation): MoveWish | undefined {
  return conversation.language === 'zh' ? readChinese(conversation.text) : readEnglish(conversation.text)
}

function readChinese(text: string): MoveWish | undefined {
  const plain = toPlainChinese(text)
  if (/^(?:请|帮我|麻烦你?|记得)*提醒我/.test(plain)) return undefined
  const verb = CHINESE_MOVE.exec(plain)
  if (!verb) return CHINESE_BY.test(plain) && REMINDER.test(plain) ? { time: undefined, selector: UNSAID } : undefined
  const selector = readSelector(text.slice(0, verb.index), 'zh')
  const tail = text.slice(verb.index + verb[0].length)
  const time = timeIn(tail, 'zh')
  return time !== undefined || REMINDER.test(plain) ? { time: time ?? strange(tail), selector } : undefined
}

function readEnglish(text: string): MoveWish | undefined {
  if (/\bremind me\b/i.test(text)) return undefined
  const verb = ENGLISH_MOVE.exec(text)
  if (!verb) return ENGLISH_BY.test(text) && REMINDER.test(text) ? { time: undefined, selector: UNSAID } : undefined
  const target = verb[1] ?? verb[3] ?? ''
  const tail = verb[2] ?? verb[4] ?? ''
  const time = timeIn(tail, 'en')
  const isMeant = REMINDER.test(target) || (time !== undefined && target.trim() === '')
  return isMeant ? { time: time ?? strange(tail), selector: readSelector(target, 'en') } : undefined
}

const UNSAID: Selector = { kind: 'unsaid' }
const timeIn = (tail: string, language: 'zh' | 'en') => takeTimeOut(tail, language)?.time
/** What is no time to us goes to the tool all the same: it knows more, and says what is wrong. */
const strange = (tail: string) => tail.replace(/[\s,，。.!！?？吧]+$/, '').trim() || undefined

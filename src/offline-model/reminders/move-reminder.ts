import type { JsonObject, Language } from '../../contracts/words'
import { call, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { toPlainChinese } from '../words/chinese-text'
import { isClockAlone, isDayAlone, isDuration, takeTimeOut } from '../words/find-times'
import { readSelector } from '../words/selector'
import type { Selector } from '../words/selector'
import { askWhich, phraseList } from './list-reminders'
import { phraseScheduled } from './set-reminder'
import { CANCEL, choose, LIST, listedPending, SCHEDULE, withoutTools } from './tools'
import type { Pending } from './tools'

/**
 * "改到10点", "move it to 10am": list → set anew with the same words → cancel the old one, in this order, so that a time
 * that cannot be used costs nothing. The only pending one is replaced in one step.
 */
export const moveReminder: Intent = (conversation, tools) => {
  const request = readMoveRequest(conversation)
  if (!request) return undefined
  if (![SCHEDULE, CANCEL, LIST].every((name) => tools.has(name))) return withoutTools(conversation)
  if (request.time === undefined) return askTime(conversation)
  if (conversation.results.length === 0) return call(LIST)
  const pending = listedPending(conversation.results)
  return pending && moveOne(pending, request.time, request, conversation)
}

function moveOne(pending: Pending[], time: string, request: MoveRequest, conversation: Conversation): Step | undefined {
  const { language } = conversation
  const [meant, ...others] = choose(pending, request.selector, conversation)
  if (!meant) return { text: phraseList(pending, language) }
  if (others.length > 0) return { text: askWhich(pending, 'move', language) }
  const isOnly = pending.length === 1
  const tries = conversation.results.filter(({ name }) => name === SCHEDULE)
  if (tries.some(({ result }) => result['success'] === true)) return isOnly ? undefined : cancelOld(meant, conversation)
  const next = [keepTheRest(time, meant.sendAt, language), time].filter((text) => text !== undefined)[tries.length]
  if (next === undefined) return undefined
  return call(SCHEDULE, { send_at: next, message_text: meant.messageText, replace_existing: isOnly })
}

/** Once; then the new time is said, which is the last result but one. */
function cancelOld(old: Pending, conversation: Conversation): Step | undefined {
  const { results, language } = conversation
  if (!results.some(({ name }) => name === CANCEL)) return call(CANCEL, { task_id: old.taskId })
  const set = results.findLast(({ name }) => name === SCHEDULE)
  return set && { text: phraseMoved(set.result, results.at(-1)?.result ?? {}, language) }
}

function askTime(conversation: Conversation): Step {
  return say(conversation, {
    zh: '改到什么时候？请说新的时间，比如“改到10点”。',
    en: 'To what time? Say the new one, for example "move it to 10am".',
  })
}

/** A move that had to cancel the old one by itself, which may have come too late. */
function phraseMoved(set: JsonObject, cancelled: JsonObject, language: Language): string {
  const said = phraseScheduled(set, language)
  if (cancelled['success'] === true) return said
  return language === 'zh' ? `（原来的那条没能取消。）${said}` : `(The old one could not be cancelled.) ${said}`
}

interface MoveRequest {
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
function readMoveRequest(conversation: Conversation): MoveRequest | undefined {
  return conversation.language === 'zh' ? readChinese(conversation.text) : readEnglish(conversation.text)
}

function readChinese(text: string): MoveRequest | undefined {
  const plain = toPlainChinese(text)
  if (/^(?:请|帮我|麻烦你?|记得)*提醒我/.test(plain)) return undefined
  const verb = CHINESE_MOVE.exec(plain)
  if (!verb) return CHINESE_BY.test(plain) && REMINDER.test(plain) ? { time: undefined, selector: UNSAID } : undefined
  const selector = readSelector(text.slice(0, verb.index), 'zh')
  const tail = text.slice(verb.index + verb[0].length)
  const time = timeIn(tail, 'zh')
  return time !== undefined || REMINDER.test(plain) ? { time: time ?? strange(tail), selector } : undefined
}

function readEnglish(text: string): MoveRequest | undefined {
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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * What a new time leaves out stays as it was: "改到10点" keeps the day, "改成明天" keeps the clock. Undefined when it says both.
 */
function keepTheRest(time: string, sendAt: string, language: Language): string | undefined {
  const clock = /T(\d\d:\d\d)/.exec(sendAt)?.[1]
  const isDay = isDayAlone(time, language) && !isDuration(time) && clock !== undefined
  if (isDay) return language === 'zh' ? `${time}${clock}` : `${time} at ${clock}`
  return onTheSameDay(time, sendAt, language)
}

/**
 * "改到10点" means ten o'clock on the day the reminder was set for, in the same half of that day. It is said to the tool
 * as a date and a clock; nothing is computed here. Undefined when the time names its own day.
 */
function onTheSameDay(time: string, sendAt: string, language: Language): string | undefined {
  const old = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)/.exec(sendAt)
  if (!old || !isClockAlone(time, language)) return undefined
  const [, , month, day, hour] = old.map(Number)
  if (month === undefined || day === undefined || hour === undefined) return undefined
  if (language === 'zh') return `${month}月${day}日${chineseHalf(time, hour)}${time}`
  return `${MONTHS[month - 1]} ${day} at ${time}`
}

/** Only the small hours follow the old half of the day: "4点" for a 3 pm reminder, "9点" for one at 8 pm. */
function chineseHalf(time: string, oldHour: number): string {
  const hour = /^([0-9]{1,2}|[一二两三四五六七八九十]{1,2})(?:点|:)/.exec(time)?.[1]
  if (hour === undefined) return ''
  const said = '一二三四五六七八九十'.indexOf(hour.replace('两', '二')) + 1 || Number(hour)
  if (oldHour >= 12 && said >= 1 && said <= 6) return '下午'
  return oldHour >= 18 && said >= 7 && said <= 11 ? '晚上' : ''
}

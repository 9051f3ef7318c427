import type { Conversation } from '../conversation'
import { CANCEL_ASKED } from './phrase-reminders'
import { toPlainChinese } from './plain-chinese'
import type { Selector } from './selector'
import { readSelector } from './selector'

export interface CancelWish {
  all: boolean
  selector: Selector
  /** "取消它", "cancel that": the one just talked about. */
  lastSet: boolean
}

const CHINESE_CANCEL = /取消|删除|删掉|删了|删|去掉|撤销|撤回|不用再?|不要再?|不必|别再?|算了/
const CHINESE_NOUN = /提醒|闹钟|闹铃|定时/
const CHINESE_ALL = /所有|全部|全都|都|一切|全删|全取消/
const ENGLISH_CANCEL = /\b(?:cancel|delete|remove|drop|clear|stop|forget|don'?t|do not|no need to)\b/i
const ENGLISH_NOUN = /\b(?:remind(?:ers?|ing)?|alarms?)\b/i
const ENGLISH_ALL = /\b(?:all|every|everything|both|them)\b|\breminders\b(?!\s*(?:#|[0-9]))/i

/** Undefined when nothing is to be cancelled: "提醒我取消订阅" and "don't forget to remind me" set one. */
export function readCancelWish(conversation: Conversation): CancelWish | undefined {
  const wish = conversation.language === 'zh' ? readChinese(conversation) : readEnglish(conversation)
  return wish ?? readAnswer(conversation)
}

function readChinese({ text, earlier }: Conversation): CancelWish | undefined {
  // As long as before, so that a place found here is a place in the person's own words.
  const plain = toPlainChinese(text).replaceAll(/别忘|不要忘/g, (found) => '记'.repeat(found.length))
  const verb = CHINESE_CANCEL.exec(plain)
  if (!verb) return undefined
  const noun = CHINESE_NOUN.exec(plain)
  const isBare = !noun && /^(?:请|帮我|那|就|先)*(?:取消|删掉|删除|算了)/.test(plain) && speaksOfReminders(earlier)
  const isAfterwards = noun !== null && verb.index > noun.index && !/提醒我/.test(plain.slice(0, verb.index))
  const isTurnedRound = /^(?:请|帮我|麻烦你?)*[把将]/.test(plain)
  if (!isBare && !(noun && (verb.index < noun.index || isAfterwards || isTurnedRound))) return undefined
  return {
    all: CHINESE_ALL.test(plain),
    selector: readSelector(withoutVerb(text, verb), 'zh'),
    lastSet: /它|刚才|刚刚|这个|那个|这条|那条/.test(plain),
  }
}

const withoutVerb = (text: string, verb: RegExpExecArray) =>
  text.slice(0, verb.index) + text.slice(verb.index + verb[0].length)

function readEnglish({ text, earlier }: Conversation): CancelWish | undefined {
  const said = text.replaceAll(/\b(?:don'?t|do not) forget\b/gi, 'remember')
  const verb = ENGLISH_CANCEL.exec(said)
  if (!verb) return undefined
  const noun = ENGLISH_NOUN.exec(said)
  const isBare = !noun && /^\s*(?:please\s+)?(?:cancel|delete|remove)\b/i.test(said) && speaksOfReminders(earlier)
  if (!isBare && !(noun && verb.index < noun.index)) return undefined
  const selector = readSelector(said.slice(verb.index + verb[0].length), 'en')
  const isPointed = selector.kind !== 'unsaid' && selector.kind !== 'about'
  return { all: !isPointed && ENGLISH_ALL.test(said), selector, lastSet: /\b(?:it|that|this)\b/i.test(said) }
}

/** After we asked which one: "第2个", "2", "the second", "all of them", or what it is about. */
function readAnswer({ text, language, earlier }: Conversation): CancelWish | undefined {
  const asked = earlier.at(-1)
  if (asked?.role !== 'assistant' || !CANCEL_ASKED.test(asked.text) || text.length > 40) return undefined
  const all = language === 'zh' ? CHINESE_ALL.test(toPlainChinese(text)) : /\b(?:all|every|both)\b/i.test(text)
  return { all, selector: readSelector(text, language), lastSet: false }
}

function speaksOfReminders(earlier: Conversation['earlier']): boolean {
  return /提醒|remind/i.test(earlier.findLast(({ role }) => role === 'assistant')?.text ?? '')
}

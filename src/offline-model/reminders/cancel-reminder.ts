import type { JsonObject, Language } from '../../contracts/words'
import { call, lastAnswer, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { textListField } from '../result-fields'
import { QUERY, readTasks } from '../tasks/results'
import { toPlainChinese } from '../words/chinese-text'
import { readSelector } from '../words/selector'
import type { Selector } from '../words/selector'
import { askWhich, CANCEL_ASKED, phraseList } from './list-reminders'
import { CANCEL, choose, LIST, listedPending, readPending, whatOf, withoutTools } from './tools'
import type { Pending } from './tools'

/** "取消提醒", "取消第2个提醒", "cancel all my reminders". One that is pointed at is looked up in the list first. */
export const cancelReminder: Intent = (conversation, tools) => {
  const request = readCancelRequest(conversation)
  if (!request) return undefined
  if (!tools.has(CANCEL)) return withoutTools(conversation)
  const { results } = conversation
  if (results.length === 0) return firstStep(request, tools)
  const pending = listedPending(results)
  if (!pending || results.some(({ name }) => name === CANCEL)) return undefined
  const mayBeTask = request.isBare === true && request.selector.kind === 'about' && tools.has(QUERY)
  if (mayBeTask && results.at(-1)?.name === LIST) return call(QUERY, { status: 'pending' })
  return (
    (mayBeTask ? askTaskOrReminder(request, conversation) : undefined) ?? pickAndCancel(pending, request, conversation)
  )
}

/** A task of that name is not passed over: which of the two is meant is for the person to say. */
function askTaskOrReminder({ selector }: CancelRequest, conversation: Conversation): Step | undefined {
  const tasks = readTasks(conversation.results.at(-1)?.result ?? {})
  const words = selector.kind === 'about' ? selector.words : []
  const [task] = tasks.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word.toLowerCase())))
  if (!task) return undefined
  return say(conversation, {
    zh: `“${task.title}”有一个任务。要删除任务请说“删除任务${task.title}”，要取消提醒请说“取消${task.title}的提醒”。`,
    en: `There is a task "${task.title}". Say "delete the task ${task.title}" or "cancel the reminder ${task.title}".`,
  })
}

function firstStep(request: CancelRequest, tools: ReadonlySet<string>): Step {
  if (request.all) return call(CANCEL, { all: true })
  const isPointed = request.selector.kind !== 'unsaid' || request.lastSet
  return isPointed && tools.has(LIST) ? call(LIST) : call(CANCEL)
}

function pickAndCancel(pending: Pending[], request: CancelRequest, conversation: Conversation): Step {
  const { language } = conversation
  const [meant, ...others] = choose(pending, request.selector, conversation)
  if (meant && others.length === 0) return call(CANCEL, { task_id: meant.taskId })
  if (meant) return { text: askWhich([meant, ...others], 'cancel', language) }
  if (pending.length === 0) return { text: phraseList(pending, language) }
  const list = phraseList(pending, language)
  return say(conversation, { zh: `没有找到这条提醒。${list}`, en: `I found no such reminder. ${list}` })
}

export function phraseCancelled(result: JsonObject, language: Language): string {
  const cancelled = readCancelled(result)
  const count = Math.max(textListField(result, 'cancelled_task_ids').length, cancelled.length)
  if (count === 0) return language === 'zh' ? '没有可取消的提醒。' : 'There was no reminder to cancel.'
  const whats = cancelled.map(({ messageText }) => whatOf(messageText)).filter(Boolean)
  if (language === 'zh') return `已取消 ${count} 条提醒${whats.length > 0 ? `：${whats.join('、')}` : ''}。`
  return `Cancelled ${count} ${count === 1 ? 'reminder' : 'reminders'}${whats.length > 0 ? `: ${whats.join(', ')}` : ''}.`
}

/** The cancelled ones are listed with their new state, or with none. */
function readCancelled(result: JsonObject): Pending[] {
  const rows = result['scheduled_messages']
  if (!Array.isArray(rows)) return []
  return readPending({
    scheduled_messages: rows.map((row) =>
      typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, status: '' } : row,
    ),
  })
}

interface CancelRequest {
  all: boolean
  selector: Selector
  /** "取消它", "cancel that": the one just talked about. */
  lastSet: boolean
  /** Nobody said that it is a reminder: "删除开会" may as well be a task. */
  isBare?: boolean
}

const CHINESE_CANCEL = /取消|删除|删掉|删了|删|去掉|撤销|撤回|不用再?|不要再?|不必|别再?|算了/
const CHINESE_NOUN = /提醒|闹钟|闹铃|定时/
const CHINESE_ALL = /所有|全部|全都|都|一切|全删|全取消/
const ENGLISH_CANCEL = /\b(?:cancel|delete|remove|drop|clear|stop|forget|don'?t|do not|no need to)\b/i
const ENGLISH_NOUN = /\b(?:remind(?:ers?|ing)?|alarms?)\b/i
const ENGLISH_ALL = /\b(?:all|every|everything|both|them)\b|\breminders\b(?!\s*(?:#|[0-9]))/i

/** Undefined when nothing is to be cancelled: "提醒我取消订阅" and "don't forget to remind me" set one. */
function readCancelRequest(conversation: Conversation): CancelRequest | undefined {
  const request = conversation.language === 'zh' ? readChinese(conversation) : readEnglish(conversation)
  return request ?? readAnswer(conversation)
}

function readChinese({ text, earlier }: Conversation): CancelRequest | undefined {
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
    isBare,
  }
}

const withoutVerb = (text: string, verb: RegExpExecArray) =>
  text.slice(0, verb.index) + text.slice(verb.index + verb[0].length)

function readEnglish({ text, earlier }: Conversation): CancelRequest | undefined {
  const said = text.replaceAll(/\b(?:don'?t|do not) forget\b/gi, 'remember')
  const verb = ENGLISH_CANCEL.exec(said)
  if (!verb) return undefined
  const noun = ENGLISH_NOUN.exec(said)
  const isBare = !noun && /^\s*(?:please\s+)?(?:cancel|delete|remove)\b/i.test(said) && speaksOfReminders(earlier)
  if (!isBare && !(noun && verb.index < noun.index)) return undefined
  const selector = readSelector(said.slice(verb.index + verb[0].length), 'en')
  const isPointed = selector.kind !== 'unsaid' && selector.kind !== 'about'
  const lastSet = /\b(?:it|that|this)\b/i.test(said)
  return { all: !isPointed && ENGLISH_ALL.test(said), selector, lastSet, isBare }
}

/** After we asked which one: "第2个", "2", "the second", "all of them", or what it is about. */
function readAnswer({ text, language, earlier }: Conversation): CancelRequest | undefined {
  const asked = earlier.at(-1)
  if (asked?.role !== 'assistant' || !CANCEL_ASKED.test(asked.text) || text.length > 40) return undefined
  const all = language === 'zh' ? CHINESE_ALL.test(toPlainChinese(text)) : /\b(?:all|every|both)\b/i.test(text)
  return { all, selector: readSelector(text, language), lastSet: false }
}

const speaksOfReminders = (earlier: Conversation['earlier']): boolean => /提醒|remind/i.test(lastAnswer({ earlier }))

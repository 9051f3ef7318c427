import { call, lastAnswer, say } from '../conversation'
import type { Conversation, Intent, Step } from '../conversation'
import { toPlainChinese } from '../words/chinese-text'
import { readSelector } from '../words/selector'
import type { Selector } from '../words/selector'
import {
  chooseAutomations,
  CRON,
  isAction,
  listedAutomations,
  phraseListed,
  WHICH_AUTOMATION,
  withoutCron,
} from './results'
import type { Listed } from './results'

const LISTING =
  /列出|列一下|列表|哪些|什么|查看|看看|看一下|显示|所有|全部|我的|有没有|几个|多少|吗|\b(?:list|show|what|which|see|view|my|all|any|how many)\b/i

/** "列出自动任务", "list automations". */
export const listAutomations: Intent = (conversation, tools) => {
  const { text, results } = conversation
  if (results.length > 0 || !speaksOfAutomations(text)) return undefined
  const plain = toPlainChinese(text)
  const isBare = /^\W*(?:自动任务|automations?)\W*$/iu.test(plain) || [...plain.trim()].length <= 5
  if (!LISTING.test(plain) && !isBare) return undefined
  return tools.has(CRON) ? call(CRON, { action: 'list' }) : withoutCron(conversation)
}

/** "删除第2个", "取消第1个自动任务": looked up in the list first, for only the list knows the ids. */
export const removeAutomation: Intent = (conversation, tools) => {
  const request = readRemoveRequest(conversation)
  if (!request) return undefined
  if (!tools.has(CRON)) return withoutCron(conversation)
  const { results } = conversation
  if (results.length === 0) return call(CRON, { action: 'list' })
  const last = results.at(-1)
  const listed = last && isAction(last, 'list') ? listedAutomations(results) : undefined
  return listed && pickAndRemove(listed, request, conversation)
}

function pickAndRemove(listed: Listed[], { all, selector }: RemoveRequest, conversation: Conversation): Step {
  const { language } = conversation
  const meant = all ? listed : chooseAutomations(listed, selector)
  if (meant.length === 1 || (all && meant.length > 0)) {
    return { calls: meant.map(({ id }) => ({ name: CRON, arguments: { action: 'remove', automation_id: id } })) }
  }
  const list = phraseListed(listed, language)
  if (listed.length === 0) return { text: list }
  if (meant.length > 1) return { text: `${list}\n${WHICH_AUTOMATION[language]}` }
  return say(conversation, { zh: `没有找到这个自动任务。${list}`, en: `I found no such automation. ${list}` })
}

interface RemoveRequest {
  all: boolean
  selector: Selector
}

const NOUN = /自动任务|自动化任务?|定时任务|\bautomations?\b|\bscheduled (?:jobs?|tasks?)\b|\bcron(?: jobs?)?\b/i
const VERB = /取消|删除|删掉|删了|删|去掉|停掉|停止|移除|\b(?:cancel|delete|remove|drop|stop)\b/i
const ALL = /所有|全部|全都|都|\b(?:all|every|them)\b/i
const BARE =
  /^(?:请|帮我|把|那|就)*(?:取消|删除|删掉|删|去掉|移除)?\s*(?:第\s*[0-9一二三四五六七八九十]+|最后一|[0-9]+)\s*[个条项]?(?:取消|删除|删掉|删了|删)?[。.!！]?$|^\s*(?:please\s+)?(?:cancel|delete|remove|drop)\s+(?:the\s+)?(?:#?\s*[0-9]+(?:st|nd|rd|th)?|first|second|third|fourth|fifth|last)(?:\s+one)?[.!]?$/i

const speaksOfAutomations = (text: string): boolean => NOUN.test(toPlainChinese(text))

/** "取消第1个自动任务", or "删除第2个" when automations were talked about last. */
function readRemoveRequest(conversation: Conversation): RemoveRequest | undefined {
  const { text, language } = conversation
  const plain = toPlainChinese(text)
  const isNamed = VERB.test(plain) && NOUN.test(plain)
  const said = headOfLastAnswer(conversation)
  const isBare = BARE.test(plain) && VERB.test(plain + said) && speaksOfAutomations(said)
  if (!isNamed && !isBare) return undefined
  const selector = readSelector(withoutCommand(plain), language)
  return { all: selector.kind !== 'number' && selector.kind !== 'last' && ALL.test(plain), selector }
}

/** The head and the last line of what we said last: the lines between are the person's own words. */
function headOfLastAnswer(conversation: Conversation): string {
  const lines = lastAnswer(conversation).split('\n')
  return `${lines[0] ?? ''}\n${lines.length > 1 ? (lines.at(-1) ?? '') : ''}`.replace(/^\d+\..*$/gm, '')
}

const withoutCommand = (plain: string): string =>
  plain.replaceAll(new RegExp(NOUN.source, 'gi'), ' ').replace(VERB, ' ').replace(ALL, ' ').trim()

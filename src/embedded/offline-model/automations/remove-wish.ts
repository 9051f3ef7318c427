import type { Conversation } from '../conversation'
import { toPlainChinese } from '../reminders/plain-chinese'
import type { Selector } from '../reminders/selector'
import { readSelector } from '../reminders/selector'

export interface RemoveWish {
  all: boolean
  selector: Selector
}

const NOUN = /自动任务|自动化任务?|定时任务|\bautomations?\b|\bscheduled (?:jobs?|tasks?)\b|\bcron(?: jobs?)?\b/i
const VERB = /取消|删除|删掉|删了|删|去掉|停掉|停止|移除|\b(?:cancel|delete|remove|drop|stop)\b/i
const ALL = /所有|全部|全都|都|\b(?:all|every|them)\b/i
const BARE =
  /^(?:请|帮我|把|那|就)*(?:取消|删除|删掉|删|去掉|移除)?\s*(?:第\s*[0-9一二三四五六七八九十]+|最后一|[0-9]+)\s*[个条项]?(?:取消|删除|删掉|删了|删)?[。.!！]?$|^\s*(?:please\s+)?(?:cancel|delete|remove|drop)\s+(?:the\s+)?(?:#?\s*[0-9]+(?:st|nd|rd|th)?|first|second|third|fourth|fifth|last)(?:\s+one)?[.!]?$/i

export const speaksOfAutomations = (text: string): boolean => NOUN.test(toPlainChinese(text))

/** "取消第1个自动任务", or "删除第2个" when automations were talked about last. */
export function readRemoveWish({ text, language, earlier }: Conversation): RemoveWish | undefined {
  const plain = toPlainChinese(text)
  const isNamed = VERB.test(plain) && NOUN.test(plain)
  const isBare = BARE.test(plain) && VERB.test(plain + lastSaid(earlier)) && speaksOfAutomations(lastSaid(earlier))
  if (!isNamed && !isBare) return undefined
  const selector = readSelector(withoutCommand(plain), language)
  return { all: selector.kind !== 'number' && selector.kind !== 'last' && ALL.test(plain), selector }
}

/** The head of what we said last: the lines below it are the person's own words. */
function lastSaid(earlier: Conversation['earlier']): string {
  const said = earlier.findLast(({ role }) => role === 'assistant')?.text ?? ''
  const lines = said.split('\n')
  return `${lines[0] ?? ''}\n${lines.length > 1 ? (lines.at(-1) ?? '') : ''}`.replace(/^\d+\..*$/gm, '')
}

const withoutCommand = (plain: string): string =>
  plain.replaceAll(new RegExp(NOUN.source, 'gi'), ' ').replace(VERB, ' ').replace(ALL, ' ').trim()

import { chooseAutomations, isAction, listedAutomations } from '../automations/listed'
import type { Listed } from '../automations/listed'
import { phraseListed, WHICH_AUTOMATION } from '../automations/phrase-automations'
import { readRemoveWish, speaksOfAutomations } from '../automations/remove-wish'
import type { RemoveWish } from '../automations/remove-wish'
import { splitAutomation } from '../automations/split-automation'
import { CRON, withoutCron } from '../automations/tools'
import type { Conversation } from '../conversation'
import type { Intent, Step } from '../intent'
import { call, say } from '../intent'
import { toPlainChinese } from '../reminders/plain-chinese'

/** "每天早上8点提醒我喝水", "every weekday at 9am tell me the weather". How often goes to the tool as it was said. */
export const addAutomation: Intent = (conversation, tools) => {
  const request = splitAutomation(conversation.text, conversation.language)
  if (!request || conversation.results.length > 0) return undefined
  if (!tools.has(CRON)) return withoutCron(conversation)
  const { repeat, message } = request
  if (message !== undefined) return call(CRON, { action: 'add', message, repeat })
  return say(conversation, {
    zh: `${repeat}要做什么？比如“${repeat}提醒我喝水”。`,
    en: `What should I do ${repeat}? For example "${repeat} remind me to stretch".`,
  })
}

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
  const wish = readRemoveWish(conversation)
  if (!wish) return undefined
  if (!tools.has(CRON)) return withoutCron(conversation)
  const { results } = conversation
  if (results.length === 0) return call(CRON, { action: 'list' })
  const last = results.at(-1)
  const listed = last && isAction(last, 'list') ? listedAutomations(results) : undefined
  return listed && pickAndRemove(listed, wish, conversation)
}

function pickAndRemove(listed: Listed[], { all, selector }: RemoveWish, conversation: Conversation): Step {
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

import type { Intent } from '../intent'
import { call } from '../intent'
import { toPlainChinese } from '../reminders/plain-chinese'
import { LIST, withoutTools } from '../reminders/tools'

const CHINESE =
  /(?:哪些|什么|啥|几个|几条|几点|多少|有没有|有无|列出|列一下|列表|查看|查一下|查询|看看|看一下|看下|显示|所有|全部|我的|还有).*(?:提醒|闹钟|定时消息|定时)|(?:提醒|闹钟|定时消息).*(?:哪些|列表|什么|几个|几条|多少|吗)|^\s*(?:提醒|闹钟)\s*[?？]?\s*$/
const ENGLISH =
  /\b(?:what|which|any|list|show|see|view|check|how many|do i have|when|all|my)\b.*\b(?:reminders?|alarms?|scheduled messages?|scheduled|remind(?:ing)? me)\b|^\s*reminders?\s*\??\s*$/i

/** "我有哪些提醒？", "what reminders do I have". */
export const listReminders: Intent = (conversation, tools) => {
  const asked =
    conversation.language === 'zh' ? CHINESE.test(toPlainChinese(conversation.text)) : ENGLISH.test(conversation.text)
  if (!asked || conversation.results.length > 0) return undefined
  return tools.has(LIST) ? call(LIST) : withoutTools(conversation)
}

import type { JsonObject } from '../../contracts/words'
import type { ReadArguments } from './tools'

const SEARCH_CHINESE =
  /^(?:上网|在网上|网上|联网|实时|去)*(?:搜索|搜寻|搜一搜|搜一下|搜搜|搜|查找|查询|查一查|查一下|查查|查(?=\s))(?:一下)?(?:关于)?[\s:：]*(.*)$/s
const SEARCH_ENGLISH =
  /^(?:search|google|look\s+up|find\s+out|research)(?:\s+(?:the\s+(?:web|internet|net)|online))?(?:\s+(?:for|about|on))?[\s:]+(.*)$/is
/** Asked of the clock or of a list of ours, not of the web. */
const NOT_OF_THE_WEB = /几点|时间$|^(?:我的|任务)/

const NOTHING_SAID: JsonObject = {}

/** "搜索今天的新闻", "search the news". */
export const readSearching: ReadArguments = (text, plain, language) => {
  const found = (language === 'zh' ? SEARCH_CHINESE : SEARCH_ENGLISH).exec(plain)
  if (!found) return undefined
  const query = text.slice(plain.length - (found[1]?.length ?? 0)).trim()
  if (language === 'zh' && NOT_OF_THE_WEB.test(query)) return undefined
  const isOpen = query === '' || /^(?:它|这个|it|that|this)$/i.test(query)
  return isOpen ? NOTHING_SAID : { query }
}

const PART = '[A-Za-z0-9_.-]{1,100}'
const ADDRESS = new RegExp(String.raw`(?:https?:\/\/)?(?:www\.)?github\.com\/(${PART}\/${PART})`, 'i')
const SHORT = new RegExp(String.raw`(?<![\w./-])([A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9_.-]*[A-Za-z0-9_-])(?![\w/])`)
const SPOKEN_OF = /github|仓库|项目|星标|代码库|\brepo(?:sitory)?\b|\bstars?\b/i
const ASKING =
  /^(?:查询|查一下|查一查|查查|查看|查|看看|看一下|了解一下|了解|介绍一下|介绍|check(?:\s+out)?|look\s+up|look\s+at|show(?:\s+me)?|get|tell\s+me\s+about|info(?:rmation)?\s+(?:on|about)|what(?:'s|\s+is))?[\s:：]*/i
const AFTER = /^[\s,，。.?？!！]*(?:的?(?:信息|情况|详情|资料)|info(?:rmation)?|怎么样|please)?[\s,，。.?？!！]*$/i

/** "查一下 vercel/ai", "how many stars has github.com/vercel/ai". Two words and a slash alone may be anything. */
export const readRepository: ReadArguments = (_text, plain) => {
  const address = ADDRESS.exec(plain)
  if (address) return { repo: address[1]?.replace(/\.+$/, '') ?? '' }
  const short = SHORT.exec(plain)
  if (!short) return undefined
  const before = plain.slice(0, short.index)
  const after = plain.slice(short.index + short[0].length)
  const isWhole = before.replace(ASKING, '') === '' && AFTER.test(after)
  return isWhole || SPOKEN_OF.test(before + after) ? { repo: short[1] ?? '' } : undefined
}

const READ_CHINESE = /群(?:聊|号)?\s*([1-9]\d{4,14}).{0,10}已读|已读.{0,10}群(?:聊|号)?\s*([1-9]\d{4,14})/
const READ_ENGLISH = /\bmark\b.{0,30}\bgroup\s+#?([1-9]\d{4,14})\b.{0,30}\bread\b/i

/** "把群 123456 标记为已读", "mark QQ group 123456 as read". */
export const readGroupReading: ReadArguments = (_text, plain, language) => {
  const found = (language === 'zh' ? READ_CHINESE : READ_ENGLISH).exec(plain)
  const group = found?.[1] ?? found?.[2]
  return group === undefined ? undefined : { group_id: group }
}

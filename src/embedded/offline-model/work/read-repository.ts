import type { ReadWish } from './read-wish'

const PART = '[A-Za-z0-9_.-]{1,100}'
const ADDRESS = new RegExp(String.raw`(?:https?:\/\/)?(?:www\.)?github\.com\/(${PART}\/${PART})`, 'i')
const SHORT = new RegExp(String.raw`(?<![\w./-])([A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9_.-]*[A-Za-z0-9_-])(?![\w/])`)
const SPOKEN_OF = /github|仓库|项目|星标|代码库|\brepo(?:sitory)?\b|\bstars?\b/i
const ASKING =
  /^(?:查询|查一下|查一查|查查|查看|查|看看|看一下|了解一下|了解|介绍一下|介绍|check(?:\s+out)?|look\s+up|look\s+at|show(?:\s+me)?|get|tell\s+me\s+about|info(?:rmation)?\s+(?:on|about)|what(?:'s|\s+is))?[\s:：]*/i
const AFTER = /^[\s,，。.?？!！]*(?:的?(?:信息|情况|详情|资料)|info(?:rmation)?|怎么样|please)?[\s,，。.?？!！]*$/i

/** "查一下 vercel/ai", "how many stars has github.com/vercel/ai". Two words and a slash alone may be anything. */
export const readRepository: ReadWish = (_wish, plain) => {
  const address = ADDRESS.exec(plain)
  if (address) return { repo: address[1]?.replace(/\.+$/, '') ?? '' }
  const short = SHORT.exec(plain)
  if (!short) return undefined
  const before = plain.slice(0, short.index)
  const after = plain.slice(short.index + short[0].length)
  const isWhole = before.replace(ASKING, '') === '' && AFTER.test(after)
  return isWhole || SPOKEN_OF.test(before + after) ? { repo: short[1] ?? '' } : undefined
}

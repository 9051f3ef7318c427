import type { ReadWish } from './read-wish'

const CHINESE = /群(?:聊|号)?\s*([1-9]\d{4,14}).{0,10}已读|已读.{0,10}群(?:聊|号)?\s*([1-9]\d{4,14})/
const ENGLISH = /\bmark\b.{0,30}\bgroup\s+#?([1-9]\d{4,14})\b.{0,30}\bread\b/i

/** "把群 123456 标记为已读", "mark QQ group 123456 as read". */
export const readGroupReading: ReadWish = (_wish, plain, language) => {
  const found = (language === 'zh' ? CHINESE : ENGLISH).exec(plain)
  const group = found?.[1] ?? found?.[2]
  return group === undefined ? undefined : { group_id: group }
}

import type { JsonObject } from '../../../contracts/words'
import type { ReadWish } from './read-wish'

const CHINESE =
  /^(?:上网|在网上|网上|联网|实时|去)*(?:搜索|搜寻|搜一搜|搜一下|搜搜|搜|查找|查询|查一查|查一下|查查|查(?=\s))(?:一下)?(?:关于)?[\s:：]*(.*)$/s
const ENGLISH =
  /^(?:search|google|look\s+up|find\s+out|research)(?:\s+(?:the\s+(?:web|internet|net)|online))?(?:\s+(?:for|about|on))?[\s:]+(.*)$/is
/** Asked of the clock or of a list of ours, not of the web. */
const NOT_OF_THE_WEB = /几点|时间$|^(?:我的|任务)/

const NOTHING_SAID: JsonObject = {}

/** "搜索今天的新闻", "search the news". */
export const readSearching: ReadWish = (wish, plain, language) => {
  const found = (language === 'zh' ? CHINESE : ENGLISH).exec(plain)
  if (!found) return undefined
  const query = wish.slice(plain.length - (found[1]?.length ?? 0)).trim()
  if (language === 'zh' && NOT_OF_THE_WEB.test(query)) return undefined
  const isOpen = query === '' || /^(?:它|这个|it|that|this)$/i.test(query)
  return isOpen ? NOTHING_SAID : { query }
}

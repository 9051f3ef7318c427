import type { JsonObject, Language } from '../../../contracts/words'
import type { ReadWish } from './read-wish'

const NOUNS = '图片|图像|插画|海报|头像|壁纸|照片|图(?![表书标库形]|.{0,2}(?:工具|应用|软件|程序))'
const CHINESE = /^(?:画(?![家面展廊])|绘制|绘|素描)(?:一下|出)?(.*)$/ds
const CHINESE_NAMED = new RegExp(`^(?:生成|制作|设计|做|来)(?:一?[张幅个])?([^,，。;；]*?)的?(?:${NOUNS})(.*)$`, 'ds')
const ENGLISH = /^(?:draw|paint|sketch|illustrate)\b(?:\s+me\b)?(.*)$/dis
const ENGLISH_NAMED =
  /^(?:generate|create|make|produce)(?:\s+me)?\s+(?:an?\s+|the\s+|some\s+)?(?:image|picture|drawing|illustration|painting|photo|poster)s?\b(?:\s+(?:of|showing|with))?(.*)$/dis
const PATTERNS: Record<Language, readonly RegExp[]> = {
  zh: [CHINESE, CHINESE_NAMED],
  en: [ENGLISH, ENGLISH_NAMED],
}

/** "画一只猫", "draw a cat". What is to be drawn may be left open: "再画一张图" means what was found before. */
export const readDrawing: ReadWish = (wish, plain, language) => {
  const found = PATTERNS[language].map((pattern) => pattern.exec(plain)).find((match) => match !== null)
  if (!found) return undefined
  // Read by places, so that it stays in the person's own characters.
  const parts = (found.indices ?? []).slice(1).map((place) => (place ? wish.slice(...place) : ''))
  const rest = parts.join('').trim()
  return language === 'zh' ? chineseArgs(rest) : englishArgs(rest)
}

const COUNTS = new Map(
  [...'两二2三3四4'].map((word) => [word, '两二2'.includes(word) ? 2 : '三3'.includes(word) ? 3 : 4]),
)

function chineseArgs(rest: string): JsonObject {
  const counted = /^([两二三四2-4])[张張幅]/.exec(rest)
  const count = COUNTS.get(counted?.[1] ?? '')
  const prompt = rest
    .slice(counted?.[0].length ?? 0)
    .replace(/^(?:一?[张張幅])/, '')
    .replace(/^(?:图片?|圖片?|画|畫|插画)?[:：,，\s]*(?:内容[是为])?/, '')
    .replace(/的(?:图片?|圖片?|画|畫|插画|照片)$/, '')
    .trim()
  return { ...(isPointing(prompt) ? {} : { prompt }), ...(count === undefined ? {} : { n: count }) }
}

function englishArgs(rest: string): JsonObject {
  const prompt = rest
    .replace(/^(?:an?\s+|the\s+)?(?:picture|image|drawing|painting)s?\b(?:\s+(?:of|showing|with|about))?\s*/i, '')
    .trim()
  return isPointing(prompt) ? {} : { prompt }
}

const isPointing = (text: string): boolean =>
  /^(?:|它|这个|那个|出来|一下|it|that|this|them|one|about it|of it|something)$/i.test(text)

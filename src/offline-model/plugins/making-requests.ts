import type { JsonObject, Language } from '../../contracts/words'
import type { ReadArguments } from './tools'

const NOUNS = '图片|图像|插画|海报|头像|壁纸|照片|图(?![表书标库形]|.{0,2}(?:工具|应用|软件|程序))'
const DRAW_CHINESE = /^(?:画(?![家面展廊])|绘制|绘|素描)(?:一下|出)?(.*)$/ds
const DRAW_CHINESE_NAMED = new RegExp(
  `^(?:生成|制作|设计|做|来)(?:一?[张幅个])?([^,，。;；]*?)的?(?:${NOUNS})(.*)$`,
  'ds',
)
const DRAW_ENGLISH = /^(?:draw|paint|sketch|illustrate)\b(?:\s+me\b)?(.*)$/dis
const DRAW_ENGLISH_NAMED =
  /^(?:generate|create|make|produce)(?:\s+me)?\s+(?:an?\s+|the\s+|some\s+)?(?:image|picture|drawing|illustration|painting|photo|poster)s?\b(?:\s+(?:of|showing|with))?(.*)$/dis
const PATTERNS: Record<Language, readonly RegExp[]> = {
  zh: [DRAW_CHINESE, DRAW_CHINESE_NAMED],
  en: [DRAW_ENGLISH, DRAW_ENGLISH_NAMED],
}

/** "画一只猫", "draw a cat". What is to be drawn may be left open: "再画一张图" means what was found before. */
export const readDrawing: ReadArguments = (text, plain, language) => {
  const found = PATTERNS[language].map((pattern) => pattern.exec(plain)).find((match) => match !== null)
  if (!found) return undefined
  // Read by places, so that it stays in the person's own characters.
  const parts = (found.indices ?? []).slice(1).map((place) => (place ? text.slice(...place) : ''))
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

const APP_CHINESE =
  /^(?:做|制作|写|开发|创建|生成|弄|建|造)(?:出|好)?(?:一?[个款])?(.*?)的?(?:小(?=应用|程序|工具|软件))?(?:应用程序|应用|app|程序|工具|网页|页面|软件|小游戏|游戏)(.*)$/is
const APP_CHINESE_KNOWN =
  /^(?:做|制作|写|开发|创建|生成|弄)(?:一?[个款])?((?:计算|计时)器|计算机|倒计时|秒表|记事本|便签|待办清单)(.*)$/s
const APP_ENGLISH =
  /^(?:make|build|create|write|develop|generate)(?:\s+me)?\s+(?:an?\s+|the\s+|some\s+)?(.*?)\s*\b(?:web\s?app|app|application|web\s?page|page|tool|program|game|widget)\b(.*)$/is
const APP_ENGLISH_KNOWN =
  /^(?:make|build|create|write|develop)(?:\s+me)?\s+(?:an?\s+|the\s+)?((?:\w+\s+)?(?:calculator|stopwatch|notepad|to-?do list))\b(.*)$/is
const CALLED = /(?:名叫|名为|叫做|叫|called|named)\s*[“"「'《]?([^”"」'》,，。]{1,40})/i
const NAME_CHARACTERS = 20

/** "做一个计算器应用", "build a to-do list app called Chores". */
export const readAppMaking: ReadArguments = (text, plain, language) => {
  const found =
    language === 'zh'
      ? (APP_CHINESE.exec(plain) ?? APP_CHINESE_KNOWN.exec(plain))
      : (APP_ENGLISH.exec(plain) ?? APP_ENGLISH_KNOWN.exec(plain))
  if (!found) return undefined
  const thing = found[1]?.trim() ?? ''
  const details = found[2]?.replace(/^[\s,，。.:：;；]+/, '').trim() ?? ''
  const called = CALLED.exec(plain)?.[1]?.trim()
  const name = called ?? [...thing].slice(0, NAME_CHARACTERS).join('').trim()
  return {
    description: text,
    app_name: name || (language === 'zh' ? '小应用' : 'App'),
    ...(details === '' ? {} : { details }),
  }
}

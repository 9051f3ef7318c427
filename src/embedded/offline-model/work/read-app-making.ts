import type { ReadWish } from './read-wish'

const CHINESE =
  /^(?:做|制作|写|开发|创建|生成|弄|建|造)(?:出|好)?(?:一?[个款])?(.*?)的?(?:小(?=应用|程序|工具|软件))?(?:应用程序|应用|app|程序|工具|网页|页面|软件|小游戏|游戏)(.*)$/is
const CHINESE_KNOWN =
  /^(?:做|制作|写|开发|创建|生成|弄)(?:一?[个款])?((?:计算|计时)器|计算机|倒计时|秒表|记事本|便签|待办清单)(.*)$/s
const ENGLISH =
  /^(?:make|build|create|write|develop|generate)(?:\s+me)?\s+(?:an?\s+|the\s+|some\s+)?(.*?)\s*\b(?:web\s?app|app|application|web\s?page|page|tool|program|game|widget)\b(.*)$/is
const ENGLISH_KNOWN =
  /^(?:make|build|create|write|develop)(?:\s+me)?\s+(?:an?\s+|the\s+)?((?:\w+\s+)?(?:calculator|stopwatch|notepad|to-?do list))\b(.*)$/is
const CALLED = /(?:名叫|名为|叫做|叫|called|named)\s*[“"「'《]?([^”"」'》,，。]{1,40})/i
const NAME_CHARACTERS = 20

/** "做一个计算器应用", "build a to-do list app called Chores". */
export const readAppMaking: ReadWish = (wish, plain, language) => {
  const found =
    language === 'zh'
      ? (CHINESE.exec(plain) ?? CHINESE_KNOWN.exec(plain))
      : (ENGLISH.exec(plain) ?? ENGLISH_KNOWN.exec(plain))
  if (!found) return undefined
  const thing = found[1]?.trim() ?? ''
  const details = found[2]?.replace(/^[\s,，。.:：;；]+/, '').trim() ?? ''
  const called = CALLED.exec(plain)?.[1]?.trim()
  const name = called ?? [...thing].slice(0, NAME_CHARACTERS).join('').trim()
  return {
    description: wish,
    app_name: name || (language === 'zh' ? '小应用' : 'App'),
    ...(details === '' ? {} : { details }),
  }
}

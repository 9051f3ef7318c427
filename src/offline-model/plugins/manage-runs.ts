import type { JsonObject, Language } from '../../contracts/words'
import { call } from '../conversation'
import type { Intent } from '../conversation'
import { isObject, localTime, textField } from '../result-fields'
import { toPlainChinese } from '../words/chinese-text'

export const LIST_RUNS = 'list_runs'
export const CANCEL_RUN = 'cancel_run'

const WORK: Record<Language, readonly [RegExp, string][]> = {
  zh: [
    [/画|图片?/, 'image draw'],
    [/搜索|搜|查找/, 'realtime search'],
    [/仓库/, 'github repo info'],
    [/应用|程序|网页/, 'html to app'],
    [/计划|工作/, ''],
  ],
  en: [
    [/\b(?:draw(?:ing)?|picture|image|painting)\b/i, 'image draw'],
    [/\bsearch(?:ing)?\b/i, 'realtime search'],
    [/\brepo(?:sitory)?\b/i, 'github repo info'],
    [/\bapp\b/i, 'html to app'],
    [/\b(?:plan|work|run)\b/i, ''],
  ],
}
const STOP: Record<Language, RegExp> = {
  zh: /^(?:请|帮我|先|那|就)*(?:取消|停止|停下|停掉|别|不要|不用)(?:再|继续)?(.+?)(?:了|吧|的?(?:任务|工作|结果))*[。!！]*$/,
  en: /^\s*(?:please\s+)?(?:cancel|stop|abort)\s+(.+?)[.!]*$/i,
}
const UNDER_WAY: Record<Language, RegExp> = {
  zh: /(?:正在|还在)(?:做|进行|画|搜|跑).{0,6}(?:什么|哪些|吗)|进行中的(?:工作|任务)|哪些工作|还有什么结果/,
  en: /\bwhat(?:'s| is)? (?:under way|running|in progress)\b|\bwhat are you (?:working on|doing now|drawing|searching)\b/i,
}
const OTHERS = /提醒|闹钟|任务(?!$)|自动|推送|免打扰|\b(?:reminders?|alarms?|tasks?|automations?|push|quiet)\b/i

/** "取消画图", "stop the search", "正在做什么？": work that is under way, looked after by the tools. */
export const manageRuns: Intent = ({ text, language, results }, tools) => {
  if (results.length > 0 || !tools.has(CANCEL_RUN)) return undefined
  const plain = language === 'zh' ? toPlainChinese(text) : text
  if (UNDER_WAY[language].test(plain)) return call(LIST_RUNS)
  const what = STOP[language].exec(plain)?.[1]
  if (what === undefined || OTHERS.test(plain)) return undefined
  const work = WORK[language].find(([pattern]) => pattern.test(what))
  if (!work) return undefined
  return call(CANCEL_RUN, work[1] === '' ? {} : { words: work[1] })
}

export function phraseRuns(result: JsonObject, language: Language): string {
  const runs = Array.isArray(result['runs']) ? result['runs'].filter(isObject) : []
  if (runs.length === 0) return language === 'zh' ? '现在没有正在进行的工作。' : 'Nothing is under way.'
  const lines = runs.map((run, at) => {
    const due = textField(run, 'feedback_at')
    const when =
      due === '' ? '' : language === 'zh' ? `，${localTime(due)} 告诉你` : `, you will hear at ${localTime(due)}`
    return `${at + 1}. ${textField(run, 'what')}${when}`
  })
  return [language === 'zh' ? '正在进行：' : 'Under way:', ...lines].join('\n')
}

export function phraseRunCancelled(result: JsonObject, language: Language): string {
  const what = textField(result, 'what')
  return language === 'zh' ? `已经停下：${what}。` : `Stopped: ${what}.`
}

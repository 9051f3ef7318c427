import { lineOf } from '../conversation'
import type { Conversation } from '../conversation'
import type { Language } from '../../../contracts/words'

const DOING: readonly [RegExp, Record<Language, string>][] = [
  [/image_draw/, { zh: '正在为您画图', en: 'I am still drawing your picture' }],
  [/search/, { zh: '正在为您搜索', en: 'I am still searching' }],
  [/html_to_app/, { zh: '正在为您制作应用', en: 'I am still building your app' }],
  [/github/, { zh: '正在为您查询仓库', en: 'I am still looking up the repository' }],
]
const SOMETHING: Record<Language, string> = { zh: '正在为您处理', en: 'I am still working on it' }

/** Chinese unless the reason is in English, as the prompt asks. */
export function phraseProgress({ text }: Conversation): string {
  const reason = lineOf(text, 'Why the person wanted it') ?? ''
  const language: Language = /[a-z]/i.test(reason) && !/\p{Script=Han}/u.test(reason) ? 'en' : 'zh'
  const tool = lineOf(text, 'What is being done') ?? ''
  const doing = (DOING.find(([name]) => name.test(tool))?.[1] ?? SOMETHING)[language]
  return language === 'zh' ? `${doing}，还需要一点时间，请稍候~` : `${doing}; it needs a little more time.`
}

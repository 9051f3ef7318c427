import type { JsonObject, JsonValue, Language } from '../contracts/words'
import { languageNamed, lineOf } from './conversation'
import type { Conversation } from './conversation'
import { writeHtmlPage } from './pages/write-page'
import { isObject, readObject, textField, textListField } from './result-fields'

/** Requests of ours that are no chat, known by their prompt; asked before anything else. */
const JOBS: readonly [RegExp, (conversation: Conversation) => string][] = [
  [/^Task: html_page$/m, writeHtmlPage],
  [/^You write one progress message\b/, phraseProgress],
  [/^You tell a person the outcome\b/, phraseRunResult],
  [/^You keep the memory of a long conversation\b/, summarizeMemory],
  [/^You complete the arguments of one step\b/, completeArguments],
]

/** What a request of the product itself asks for, be it a page, a message or a summary; undefined in a chat. */
export function doModelJob(conversation: Conversation): string | undefined {
  return JOBS.find(([prompt]) => prompt.test(conversation.system))?.[1](conversation)
}

const DOING: readonly [RegExp, Record<Language, string>][] = [
  [/image_draw/, { zh: '正在为您画图', en: 'I am still drawing your picture' }],
  [/search/, { zh: '正在为您搜索', en: 'I am still searching' }],
  [/html_to_app/, { zh: '正在为您制作应用', en: 'I am still building your app' }],
  [/github/, { zh: '正在为您查询仓库', en: 'I am still looking up the repository' }],
]
const SOMETHING: Record<Language, string> = { zh: '正在为您处理', en: 'I am still working on it' }

/** In the language that the prompt names. */
function phraseProgress({ text }: Conversation): string {
  const language = languageNamed(text)
  const tool = lineOf(text, 'What is being done') ?? ''
  const doing = (DOING.find(([name]) => name.test(tool))?.[1] ?? SOMETHING)[language]
  return language === 'zh' ? `${doing}，还需要一点时间，请稍候~` : `${doing}; it needs a little more time.`
}

/** The outcome in the plugin's own short words. A result that was cut is read as far as it goes. */
function phraseRunResult({ text }: Conversation): string {
  const isChinese = languageNamed(text) === 'zh'
  const written = lineOf(text, 'Result') ?? ''
  const result = readObject(written)
  if (/^\{"success":false/.test(written)) {
    const reason = isObject(result['error']) ? textField(result['error'], 'message') : ''
    return isChinese ? `没有成功：${reason || '原因不明'}` : `It did not succeed: ${reason || 'for an unknown reason'}`
  }
  const summary = isObject(result['data']) ? textField(result['data'], 'summary') : cutSummary(written)
  return summary || (isChinese ? '已经完成了。' : 'It is done.')
}

function cutSummary(written: string): string {
  const quoted = /"summary":("(?:[^"\\]|\\.)*")/.exec(written)?.[1]
  return quoted === undefined ? '' : textField(readObject(`{"text":${quoted}}`), 'text')
}

const LONGEST_MEMORY = 1_500
const LONGEST_FACT = 200
/** A question or a greeting is nothing to remember; what somebody says of themselves or decides is. */
const SMALL_TALK = /^(?:你好|您好|嗨|谢谢|好的?|嗯|hi|hello|hey|thanks|thank you|ok|okay)[\s,.!，。！~]*$|[?？]\s*$/i

/** By rule: what was remembered, and what the person said since; the oldest goes when there is no more room. */
function summarizeMemory({ text }: Conversation): string {
  const [, before = '', messages = ''] = /Remembered so far:\n([^]*?)\n\s*The next messages:\n([^]*)$/.exec(text) ?? []
  const known = before.split('\n').map((line) => line.replace(/^-\s*/, '').trim())
  const said = messages.split('\n').flatMap((line) => personSaid(line))
  const facts = [...new Set([...known, ...said])].filter((fact) => fact !== '' && !NOTHING.test(fact))
  while (facts.join('\n').length > LONGEST_MEMORY) facts.shift()
  return facts.map((fact) => `- ${fact}`).join('\n') || '-'
}

const NOTHING = /^(?:-|\(none\)|\(nothing\)|nothing|none|无|没有)\.?$/i

function personSaid(line: string): string[] {
  const said = /^\W*(?:user|person)\b[^:：]{0,40}[:：]\s*(.+)$/i.exec(line.trim())?.[1]?.trim()
  return said === undefined || SMALL_TALK.test(said) ? [] : [said.slice(0, LONGEST_FACT)]
}

const SUBJECT_CHARACTERS = 300

/** Fills what is required and missing with what the steps before were about. */
function completeArguments({ text }: Conversation): string {
  const schema = readObject(lineOf(text, 'Schema') ?? '')
  const draft = readObject(lineOf(text, 'Draft') ?? '')
  const missing = textListField(schema, 'required').filter((name) => !Object.hasOwn(draft, name))
  const subject = subjectOf(lineOf(text, 'Results before') ?? '')
  const added = subject === '' ? [] : missing.map((name) => [name, subject])
  return JSON.stringify({ ...draft, ...Object.fromEntries(added) })
}

/** The list may be cut in the middle; then it is no JSON, and nothing is added. */
function subjectOf(written: string): string {
  const { results } = readObject(`{"results":${written}}`)
  const about = Array.isArray(results) ? results.map(aboutWhat).filter(Boolean) : []
  return about.join('; ').slice(0, SUBJECT_CHARACTERS)
}

function aboutWhat(result: JsonValue): string {
  const data = isObject(result) && isObject(result['data']) ? result['data'] : {}
  const [topic] = ['query', 'prompt', 'app_name', 'full_name', 'summary']
    .map((name) => textField(data, name))
    .filter(Boolean)
  return [topic, firstTitle(data)].filter(Boolean).join(': ')
}

function firstTitle(data: JsonObject): string {
  const first = Array.isArray(data['results']) ? data['results'][0] : undefined
  return isObject(first) ? textField(first, 'title') : ''
}

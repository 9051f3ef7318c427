import type { FailureReason, RunResult } from './plugins/contract'
import { say } from '../contracts/language'
import type { Texts } from '../contracts/language'
import { isObject } from '../contracts/words'
import type { JsonObject, JsonValue, Language } from '../contracts/words'

const SHOWN_CHARACTERS = 1_500
const VALUE_CHARACTERS = 300

/** What people call a tool: the title in its `meta`, else its name without what machines need. */
export function titleOf(aiName: string, language: Language, meta: JsonObject = {}): string {
  const { title } = meta
  if (typeof title === 'string' && title !== '') return title
  const own = isObject(title) ? title[language] : undefined
  return typeof own === 'string' && own !== '' ? own : aiName.replace(/^[^_]*__/, '').replaceAll('_', ' ')
}

/** Told at the deadline of work that is not done. */
export function describeProgress(delayMs: number, language: Language): string {
  const seconds = Math.round(delayMs / 1_000)
  const texts: Texts =
    seconds === 0
      ? { zh: '工具正在执行中，继续等待...', en: 'The tool is still running. Still waiting...' }
      : {
          zh: `工具正在执行中，规定时间 ${seconds}s 内未完成，继续等待...`,
          en: `The tool is still running; it did not finish within ${seconds}s. Still waiting...`,
        }
  return say(language, texts)
}

/** The outcome in plain words. A plugin says what came out in `summary`; without one its data is put into words. */
export function describeResult(title: string, result: RunResult, language: Language): string {
  if (!result.success) return describeFailure(title, result, language)
  const text = describeData(result.data).slice(0, SHOWN_CHARACTERS)
  if (text === '') return say(language, { zh: `「${title}」完成了。`, en: `${title} is done.` })
  return say(language, { zh: `「${title}」完成了：${text}`, en: `${title} is done: ${text}` })
}

function describeFailure(title: string, { code, error }: RunResult, language: Language): string {
  if (code === 'TIMEOUT') {
    return say(language, { zh: `「${title}」超时了，没有完成。`, en: `${title} timed out and did not finish.` })
  }
  if (code === 'INTERRUPTED') {
    return say(language, {
      zh: `「${title}」中途被打断了，不知道有没有做完，所以没有重做。需要的话请再说一次。`,
      en: `${title} was interrupted. Whether it was done is not known, so it was not done again; ask again if you need it.`,
    })
  }
  if (code === 'COOLDOWN_ACTIVE') {
    const seconds = Math.ceil((error?.remainMs ?? 1_000) / 1_000)
    return say(language, {
      zh: `「${title}」刚刚用过，请 ${seconds} 秒后再试。`,
      en: `${title} was used a moment ago; try again in ${seconds} s.`,
    })
  }
  if (error?.reason) return say(language, REASONS[error.reason](title))
  const said = error?.message ?? ''
  return say(language, { zh: `「${title}」没有成功：${said}`, en: `${title} did not succeed: ${said}` })
}

/** Why a handler did not run or broke: the words for machines are in the result, these are for people. */
const REASONS: Record<FailureReason, (title: string) => Texts> = {
  bad_schedule: (title) => ({
    zh: `看不懂什么时候要告诉您「${title}」的结果，所以没有开始。`,
    en: `${title} was not started: it is not clear when to tell you the result.`,
  }),
  schedule_too_far: (title) => ({
    zh: `「${title}」的反馈时间超过了一年，所以没有开始。`,
    en: `${title} was not started: its result would be told in more than a year.`,
  }),
  bad_arguments: (title) => ({
    zh: `「${title}」得到的内容不合要求，所以没有开始。`,
    en: `${title} was not started: what it was given does not fit.`,
  }),
  not_set_up: (title) => ({
    zh: `「${title}」还没有设置好，请管理员补上它需要的设置。`,
    en: `${title} is not set up yet; an administrator has to add its settings.`,
  }),
  unknown_tool: (title) => ({ zh: `这里没有「${title}」。`, en: `There is no ${title} here.` }),
  unreachable: (title) => ({
    zh: `「${title}」的服务现在连不上。`,
    en: `The service behind ${title} cannot be reached now.`,
  }),
  broken: (title) => ({
    zh: `「${title}」出了内部错误，没有完成。`,
    en: `${title} broke down and did not finish.`,
  }),
}

/** A step that was not run because of these. */
export function describeSkipped(title: string, failed: string[], language: Language): string {
  return say(language, {
    zh: `「${title}」没有执行，因为${failed.map((name) => `「${name}」`).join('、')}没有成功。`,
    en: `${title} was not run, because ${failed.join(', ')} did not succeed.`,
  })
}

/** Which of the work under way is meant. */
export function askWhichRun(names: string[], language: Language): string {
  const list = names.map((name, index) => `${index + 1}. ${name}`).join('\n')
  return { zh: `正在进行的有：\n${list}\n要停下哪一项？`, en: `Under way:\n${list}\nWhich one should I stop?` }[
    language
  ]
}

export function describeCancelled(by: 'person' | 'operator' | 'fault', language: Language): string {
  const texts: Record<typeof by, Texts> = {
    person: { zh: '好的，这项任务已取消。', en: 'This has been cancelled.' },
    operator: { zh: '这项任务被管理员取消了。', en: 'An operator has cancelled this.' },
    fault: { zh: '这项任务没能继续下去，已经结束。', en: 'This could not go on and has ended.' },
  }
  return say(language, texts[by])
}

/** Data for people: its own summary or text, else names and values in lines. Files are shown beside it. */
export function describeData(data: JsonValue): string {
  if (!isObject(data)) return describeValue(data)
  for (const name of ['summary', 'text']) {
    const own = data[name]
    if (typeof own === 'string' && own.trim() !== '') return own.trim()
  }
  const lines = Object.entries(data).map(([name, value]) => [name.replaceAll('_', ' '), describeValue(value)])
  return lines.flatMap(([name, value]) => (value === '' ? [] : `${name}: ${value}`)).join('\n')
}

function describeValue(value: JsonValue): string {
  if (value === null) return ''
  if (Array.isArray(value)) return shorten(value.map(describeValue).filter(Boolean).join(', '))
  if (!isObject(value)) return typeof value === 'string' ? value.trim() : String(value)
  if (typeof value['artifact_id'] === 'string') return ''
  const pairs = Object.entries(value).map(([name, item]) => [name.replaceAll('_', ' '), describeValue(item)])
  return shorten(pairs.flatMap(([name, item]) => (item === '' ? [] : `${name} ${item}`)).join(', '))
}

const shorten = (text: string) => (text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS - 1)}…` : text)

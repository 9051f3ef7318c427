import type { JsonObject, Language } from '../../contracts/words'
import { say } from '../conversation'
import type { CallResult, Conversation, Step } from '../conversation'
import { isObject, localTime, textField, textListField } from '../result-fields'
import type { Selector } from '../words/selector'

export const CRON = 'cron'

/** Said where the tool is not offered: inside an automation, or to a client that brought none. */
export function withoutCron(conversation: Conversation): Step {
  return say(conversation, {
    zh: '这里不能管理自动任务。',
    en: 'Automations cannot be managed here.',
  })
}

/** An automation as the tool shows it. */
export interface Listed {
  id: string
  name: string
  message: string
  words: string
  nextRuns: string[]
  enabled: boolean
}

/** The automations of the newest list in this turn; undefined when none was asked for yet. */
export function listedAutomations(results: CallResult[]): Listed[] | undefined {
  const list = results.findLast((each) => isAction(each, 'list') && each.result['success'] === true)
  return list && readListed(list.result)
}

export const isAction = ({ name, arguments: args }: CallResult, action: string): boolean =>
  name === CRON && args['action'] === action

function readListed(result: JsonObject): Listed[] {
  const rows = result['automations']
  return Array.isArray(rows) ? rows.filter(isObject).map(toListed) : []
}

function toListed(row: JsonObject): Listed {
  return {
    id: textField(row, 'automation_id') || textField(row, 'id'),
    name: textField(row, 'name'),
    message: textField(row, 'message'),
    words: textField(row, 'words'),
    nextRuns: textListField(row, 'next_runs'),
    enabled: row['enabled'] !== false,
  }
}

/** The ones a person may mean: one, several to choose from, or none. */
export function chooseAutomations(listed: Listed[], selector: Selector): Listed[] {
  if (selector.kind === 'number') return listed.slice(selector.number - 1, selector.number)
  if (selector.kind === 'last') return listed.slice(-1)
  if (selector.kind === 'unsaid') return listed
  return listed.filter(({ name, message }) => {
    const about = `${name} ${message}`.toLowerCase()
    return selector.words.every((word) => about.includes(word.toLowerCase()))
  })
}

/** What the tool did, in words. Every first line names automations, by which a later "删除第2个" knows what is meant. */
export function phraseAutomations(results: CallResult[], language: Language): string {
  const last = results.at(-1)
  const { action } = last?.arguments ?? {}
  const result = last?.result ?? {}
  if (action === 'list') return phraseListed(readListed(result), language)
  if (action === 'remove') return phraseRemoved(results, language)
  return phraseAdded(result, language)
}

function phraseRemoved(results: CallResult[], language: Language): string {
  const removed = results.filter((each) => isAction(each, 'remove') && each.result['success'] === true)
  const messages = removed.map(({ result }) => toListed(result).message)
  if (language === 'zh') return `已删除自动任务：${messages.join('、')}`
  return `Removed the ${messages.length === 1 ? 'automation' : 'automations'}: ${messages.join(', ')}`
}

function phraseAdded(result: JsonObject, language: Language): string {
  const { message, words, nextRuns } = toListed(result)
  const runs = nextRuns.map((run) => `- ${localTime(run)}`)
  const notes = textListField(result, 'notes').map((note) => (language === 'zh' ? `（${note}）` : `(${note})`))
  const head =
    language === 'zh'
      ? `好的，自动任务已建立：${message}（${words}）`
      : `OK, the automation is set: ${message} (${words})`
  const next = language === 'zh' ? '接下来：' : 'Next:'
  return [head, ...(runs.length > 0 ? [next, ...runs] : []), ...notes].join('\n')
}

export function phraseListed(listed: Listed[], language: Language): string {
  if (listed.length === 0) return language === 'zh' ? '现在没有自动任务。' : 'You have no automations.'
  const lines = listed.map((each, at) => `${at + 1}. ${phraseLine(each, language)}`)
  const head =
    language === 'zh'
      ? `你有 ${listed.length} 个自动任务：`
      : `You have ${listed.length} ${listed.length === 1 ? 'automation' : 'automations'}:`
  return [head, ...lines].join('\n')
}

function phraseLine({ message, words, nextRuns: [next], enabled }: Listed, language: Language): string {
  const paused = enabled ? '' : language === 'zh' ? '，已停用' : ', disabled'
  const when = next === undefined ? '' : language === 'zh' ? `，下次 ${localTime(next)}` : `, next ${localTime(next)}`
  return language === 'zh' ? `${message}（${words}${when}${paused}）` : `${message} (${words}${when}${paused})`
}

export const WHICH_AUTOMATION: Record<Language, string> = {
  zh: '要删除哪一个自动任务？可以说“删除第2个”。',
  en: 'Which automation should I remove? Say "delete the second one".',
}

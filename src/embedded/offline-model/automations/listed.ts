import type { JsonObject } from '../../../contracts/words'
import type { CallResult } from '../conversation'
import { isObject, textField, textListField } from '../fields'
import type { Selector } from '../reminders/selector'
import { CRON } from './tools'

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

export function readListed(result: JsonObject): Listed[] {
  const rows = result['automations']
  return Array.isArray(rows) ? rows.filter(isObject).map(toListed) : []
}

export function toListed(row: JsonObject): Listed {
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

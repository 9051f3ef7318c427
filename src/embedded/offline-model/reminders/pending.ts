import type { JsonObject } from '../../../contracts/words'
import type { CallResult, Conversation } from '../conversation'
import { textField } from '../fields'
import { whatOf } from './message-text'
import { LIST } from './tools'
import type { Selector } from './selector'

/** A reminder that is still to come, as the list shows it. */
export interface Pending {
  taskId: string
  sendAt: string
  phrase: string
  messageText: string
}

/** The pending reminders of the newest list in this turn; undefined when none was asked for yet. */
export function listedPending(results: CallResult[]): Pending[] | undefined {
  const list = results.findLast(({ name, result }) => name === LIST && result['success'] === true)
  return list && readPending(list.result)
}

export function readPending(result: JsonObject): Pending[] {
  const rows = result['scheduled_messages']
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return []
    const status = textField(row, 'status')
    return status === '' || status === 'pending' ? [toPending(row)] : []
  })
}

function toPending(row: JsonObject): Pending {
  return {
    taskId: textField(row, 'task_id'),
    sendAt: textField(row, 'send_at'),
    phrase: textField(row, 'phrase'),
    messageText: textField(row, 'message_text'),
  }
}

/** The reminders a person may mean: one, several to choose from, or none. */
export function choose(pending: Pending[], selector: Selector, conversation: Conversation): Pending[] {
  if (selector.kind === 'number') return pending.slice(selector.number - 1, selector.number)
  if (selector.kind === 'last') return pending.slice(-1)
  if (selector.kind === 'about') return pending.filter(({ messageText }) => isAbout(messageText, selector.words))
  const lastSet = lastSetIn(conversation)
  const meant = pending.filter(({ messageText }) => lastSet !== undefined && whatOf(messageText) === lastSet)
  return meant.length > 0 ? meant.slice(0, 1) : pending
}

function isAbout(messageText: string, words: string[]): boolean {
  const text = messageText.toLowerCase()
  return words.every((word) => text.includes(word.toLowerCase()))
}

/** What the last reminder that we confirmed in this conversation was about; only the words are kept there. */
function lastSetIn({ earlier }: Conversation): string | undefined {
  for (const { role, text } of earlier.toReversed()) {
    const confirmed = role === 'assistant' ? /(?:提醒你：|remind you: )(.+)/.exec(text) : null
    if (confirmed) return confirmed[1]?.trim()
  }
  return undefined
}

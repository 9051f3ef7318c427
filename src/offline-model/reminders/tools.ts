import type { JsonObject, Language } from '../../contracts/words'
import { say } from '../conversation'
import type { CallResult, Conversation, Step } from '../conversation'
import { textField } from '../result-fields'
import type { Selector } from '../words/selector'

export const SCHEDULE = 'schedule_private_message'
export const CANCEL = 'cancel_scheduled_private_message'
export const UPDATE = 'update_scheduled_private_message'
export const LIST = 'list_scheduled_private_messages'

/** Said where the tools are not offered: in groups, or to a client that brought none. */
export function withoutTools(conversation: Conversation): Step {
  if (conversation.facts.isGroup) {
    return say(conversation, {
      zh: '提醒只在私聊里可用，群聊里不行。',
      en: 'Reminders work in private chats only, not in groups.',
    })
  }
  return say(conversation, { zh: '这里没有提醒功能可用。', en: 'There is no reminder tool here.' })
}

/** A request to be reminded, taken apart: the time in the person's words, and what is to be said then. */
export interface ReminderRequest {
  time: string | undefined
  what: string | undefined
}

const PREFIX: Record<Language, string> = { zh: '提醒：', en: 'Reminder: ' }
const NOTHING_SAID: Record<Language, string> = { zh: '时间到了', en: 'it is time' }

/** What is sent when it is due. */
export function toMessageText(what: string | undefined, language: Language): string {
  return PREFIX[language] + (what ?? NOTHING_SAID[language])
}

const OWN_PREFIX = /^(?:提醒：|Reminder: )/

/** Whether a text is a reminder that was sent. */
export const isMessageText = (text: string): boolean => OWN_PREFIX.test(text)

/** What a reminder is about, without the word that it is one. */
export function whatOf(messageText: string): string {
  return messageText.replace(OWN_PREFIX, '')
}

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

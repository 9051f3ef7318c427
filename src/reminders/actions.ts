import { languageOfPerson } from '../contracts/language'
import type { ActionItem, MessagePart } from '../contracts/message-chain'
import type { Language } from '../contracts/words'
import type { Session } from '../conversation/session'

/** What a person may do with a reminder that was sent, where there are buttons. */
export type ReminderAction = { kind: 'snooze'; until: string } | { kind: 'done' }

const BUTTONS: Record<string, { action: ReminderAction; label: Record<Language, string> }> = {
  snooze_10m: { action: { kind: 'snooze', until: 'in 10 minutes' }, label: { zh: '10分钟后', en: 'In 10 minutes' } },
  snooze_1h: { action: { kind: 'snooze', until: 'in 1 hour' }, label: { zh: '1小时后', en: 'In 1 hour' } },
  done: { action: { kind: 'done' }, label: { zh: '好了', en: 'Done' } },
}

/** The buttons of a reminder. An id names what is pressed and of which message: nothing has to be remembered for it. */
export function actionsOf(id: string, text: string, session: Pick<Session, 'language'>): MessagePart {
  const language = languageOfPerson(session, { words: text })
  const items: ActionItem[] = Object.entries(BUTTONS).map(([name, { label }]) => ({
    id: `${name}:${id}`,
    label: label[language],
  }))
  return { type: 'Actions', items }
}

const PRESSED = /^([a-z0-9_]+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** What was pressed, and the message it belongs to; undefined when it is no button of ours. */
export function readAction(pressed: string): { action: ReminderAction; id: string } | undefined {
  const [, name = '', id] = PRESSED.exec(pressed) ?? []
  const button = BUTTONS[name]
  return button && id !== undefined ? { action: button.action, id } : undefined
}

/** Said where a platform has no buttons, of one that would be said again. */
export const WORDS_FOR_BUTTONS: Record<Language, string> = {
  zh: '（做完了请回复“好了”，想晚点再说请回复“10分钟后再提醒我”）',
  en: '(Reply "done" when you did it, or "remind me again in 10 minutes".)',
}

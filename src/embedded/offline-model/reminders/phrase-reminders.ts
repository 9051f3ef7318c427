import type { JsonObject, Language } from '../../../contracts/words'
import { textField, textListField } from '../fields'
import { localTime } from '../local-time'
import { whatOf } from './message-text'
import type { Pending } from './pending'
import { readPending } from './pending'

/** "好的，我会在 … 提醒你：喝水". What it is about stands last, where a later sentence finds it again. */
export function phraseScheduled(result: JsonObject, language: Language): string {
  const replaced = textListField(result, 'cancelled_task_ids').length
  const about = [textField(result, 'timezone'), textField(result, 'phrase')].filter(Boolean)
  const when = localTime(textField(result, 'send_at'))
  const what = whatOf(textField(result, 'message_text'))
  const note = textField(result, 'note')
  if (language === 'zh') {
    const instead = replaced > 0 ? `（取代了原来的 ${replaced} 条）` : ''
    return `好的，我会在 ${when}（${about.join('，')}）${instead}提醒你：${what}${note && `\n（${note}）`}`
  }
  const instead = replaced > 0 ? `, instead of ${replaced === 1 ? 'the one before' : `the ${replaced} before`},` : ''
  return `OK, at ${when} (${about.join(', ')})${instead} I will remind you: ${what}${note && `\n(${note})`}`
}

export function phraseList(pending: Pending[], language: Language): string {
  if (pending.length === 0) return language === 'zh' ? '现在没有等待中的提醒。' : 'You have no reminders waiting.'
  const head =
    language === 'zh'
      ? `你有 ${pending.length} 条等待中的提醒：`
      : `You have ${pending.length} ${pending.length === 1 ? 'reminder' : 'reminders'} waiting:`
  return `${head}\n${phraseLines(pending, language)}`
}

export function phraseLines(pending: Pending[], language: Language): string {
  return pending.map((reminder, at) => `${at + 1}. ${phraseLine(reminder, language)}`).join('\n')
}

function phraseLine({ sendAt, phrase, messageText }: Pending, language: Language): string {
  const far = phrase === '' ? '' : language === 'zh' ? `（${phrase}）` : ` (${phrase})`
  return `${localTime(sendAt)}${far}${language === 'zh' ? '' : ' '}${whatOf(messageText)}`
}

export function phraseCancelled(result: JsonObject, language: Language): string {
  const cancelled = readCancelled(result)
  const count = Math.max(textListField(result, 'cancelled_task_ids').length, cancelled.length)
  if (count === 0) return language === 'zh' ? '没有可取消的提醒。' : 'There was no reminder to cancel.'
  const whats = cancelled.map(({ messageText }) => whatOf(messageText)).filter(Boolean)
  if (language === 'zh') return `已取消 ${count} 条提醒${whats.length > 0 ? `：${whats.join('、')}` : ''}。`
  return `Cancelled ${count} ${count === 1 ? 'reminder' : 'reminders'}${whats.length > 0 ? `: ${whats.join(', ')}` : ''}.`
}

/** The cancelled ones are listed with their new state, or with none. */
function readCancelled(result: JsonObject): Pending[] {
  const rows = result['scheduled_messages']
  if (!Array.isArray(rows)) return []
  return readPending({
    scheduled_messages: rows.map((row) =>
      typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, status: '' } : row,
    ),
  })
}

/** A move that had to cancel the old one by itself, which may have come too late. */
export function phraseMoved(set: JsonObject, cancelled: JsonObject, language: Language): string {
  const said = phraseScheduled(set, language)
  if (cancelled['success'] === true) return said
  return language === 'zh' ? `（原来的那条没能取消。）${said}` : `(The old one could not be cancelled.) ${said}`
}

const WHICH: Record<'cancel' | 'move', Record<Language, string>> = {
  cancel: { zh: '要取消哪一条？', en: 'Which one should I cancel?' },
  move: { zh: '要改哪一条？可以说“把第2个提醒改到…”。', en: 'Which one should I move? Say "move reminder 2 to …".' },
}

export function askWhich(pending: Pending[], verb: 'cancel' | 'move', language: Language): string {
  return `${phraseList(pending, language)}\n${WHICH[verb][language]}`
}

export const CANCEL_ASKED = new RegExp(`${WHICH.cancel.zh}|${WHICH.cancel.en.replace('?', '\\?')}`)

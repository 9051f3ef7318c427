import { lineOf, readObject } from '../conversation'
import type { Conversation } from '../conversation'
import { isObject, textField } from '../fields'

/** The outcome in the plugin's own short words. A result that was cut is read as far as it goes. */
export function phraseRunResult({ text }: Conversation): string {
  const isChinese = lineOf(text, 'Language') !== 'en'
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

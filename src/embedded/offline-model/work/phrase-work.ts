import type { JsonObject, Language } from '../../../contracts/words'
import { isObject, textField } from '../fields'
import { localTime } from '../local-time'

const SHOWN_CHARACTERS = 1_500

/** What became of a call of a plugin or of a plan, in words. */
export function phraseWork(result: JsonObject, language: Language): string {
  const isChinese = language === 'zh'
  if (result['success'] !== true) return phraseFailure(result, isChinese)
  if (result['status'] === 'scheduled') return phraseScheduled(result, isChinese)
  if (result['status'] === 'started') return phrasePlan(result, isChinese)
  const { data = null } = result
  const summary = isObject(data) ? textField(data, 'summary') : typeof data === 'string' ? data : ''
  return summary || (data === null ? (isChinese ? '好了。' : 'Done.') : JSON.stringify(data).slice(0, SHOWN_CHARACTERS))
}

function phraseScheduled(result: JsonObject, isChinese: boolean): string {
  const at = localTime(textField(result, 'feedback_at'))
  const phrase = textField(result, 'phrase')
  return isChinese
    ? `好的，已经开始了，${phrase}（${at}）告诉你结果。`
    : `All right, it has started. You will hear ${phrase} (${at}).`
}

function phrasePlan({ steps }: JsonObject, isChinese: boolean): string {
  const count = typeof steps === 'number' ? steps : '?'
  return isChinese
    ? `好的，计划开始了，一共 ${count} 步，每一步有了结果都会告诉你。`
    : `All right, the plan of ${count} steps has started. You will hear of each result.`
}

function phraseFailure(result: JsonObject, isChinese: boolean): string {
  if (result['code'] === 'TIMEOUT') return isChinese ? '超时了，没有完成。' : 'It timed out and did not finish.'
  const own = isObject(result['error']) ? textField(result['error'], 'message') : ''
  const reason = own || textField(result, 'hint') || textField(result, 'reason') || '?'
  return isChinese ? `没有办成：${reason}` : `That did not work: ${reason}`
}

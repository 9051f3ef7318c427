import type { JsonObject, Language } from '../contracts/words'
import { CRON, phraseAutomations } from './automations/results'
import type { CallResult } from './conversation'
import { NOTIFICATIONS, phraseNotifications } from './notifications'
import { isPluginTool } from './plugins/tools'
import { phrasePluginResult } from './plugins/use-plugins'
import { ACKNOWLEDGE, phraseAcknowledged, phraseSnoozed, SNOOZE } from './reminders/answer-reminder'
import { phraseCancelled } from './reminders/cancel-reminder'
import { askWhich, phraseList } from './reminders/list-reminders'
import { phraseScheduled } from './reminders/set-reminder'
import { CANCEL, LIST, readPending, SCHEDULE, UPDATE } from './reminders/tools'
import { CANCEL_RUN, LIST_RUNS, phraseRunCancelled, phraseRuns } from './plugins/manage-runs'
import { textField } from './result-fields'
import { phraseZone, SET_ZONE } from './time-zone'
import { isTaskTool, phraseTasks } from './tasks/results'

type Phrase = (result: JsonObject, language: Language) => string

/** How each tool's success sounds. It grows with the tools. */
const PHRASES: ReadonlyMap<string, Phrase> = new Map([
  [SCHEDULE, phraseScheduled],
  [UPDATE, phraseScheduled],
  [CANCEL, phraseCancelled],
  [SNOOZE, phraseSnoozed],
  [ACKNOWLEDGE, phraseAcknowledged],
  [LIST_RUNS, phraseRuns],
  [CANCEL_RUN, phraseRunCancelled],
  [NOTIFICATIONS, phraseNotifications],
  [SET_ZONE, phraseZone],
  [LIST, (result, language) => phraseList(readPending(result), language)],
])

/** The last result in words: those before it were steps on the way. */
export function phraseResults(results: CallResult[], language: Language): string {
  const last = results.at(-1)
  if (!last) return ''
  const { name, result } = last
  if (isTaskTool(name)) return phraseTasks(results, language)
  if (isPluginTool(name)) return phrasePluginResult(result, language)
  if (typeof result['question'] === 'string') return result['question']
  if (result['reason'] === 'which_one') return askWhich(readPending(result), 'cancel', language)
  if (result['success'] !== true) return phraseFailure(name, result, language)
  if (name === CRON) return phraseAutomations(results, language)
  return PHRASES.get(name)?.(result, language) ?? (language === 'zh' ? '好了。' : 'Done.')
}

/** Tools hint in English to whoever calls them; a person who writes Chinese reads these instead. */
const CHINESE_REASONS: ReadonlyMap<string, string> = new Map([
  ['nothing_pending', '现在没有等待中的提醒。'],
  ['nothing_sent', '最近没有发出的提醒等你回答。'],
  ['already_acknowledged', '这条提醒已经完成了。'],
  ['already_snoozed', '这条提醒已经推迟过了。'],
  ['not_sent', '这条提醒还没有发出，或者已经取消。'],
  ['nothing_running', '现在没有正在进行的工作。'],
  ['too_late', '来不及了，它已经发出或已经取消。'],
  ['not_found', '没有找到这条提醒。'],
  ['not_private', '提醒只在私聊里可用。'],
  ['empty_text', '没有要发送的内容。'],
  ['text_too_long', '内容太长了，请短一些。'],
  ['too_many_pending', '等待中的提醒太多了，请先取消一些。'],
  ['storage_failed', '暂时存不下来，请稍后再试。'],
  ['internal_error', '出了点问题，请稍后再试。'],
])

const NOT_SET: Record<Language, string> = { zh: '提醒没有设好：', en: 'The reminder was not set: ' }
const NOT_DONE: Record<Language, string> = { zh: '没有办成：', en: 'That did not work: ' }

/** The tool's own hint, in the person's language where we know the reason. */
function phraseFailure(tool: string, result: JsonObject, language: Language): string {
  const lead = tool === SCHEDULE || tool === UPDATE ? NOT_SET : NOT_DONE
  return lead[language] + explain(result, language)
}

function explain(result: JsonObject, language: Language): string {
  const hint = textField(result, 'hint') || textField(result, 'reason') || '?'
  if (language === 'en' || /\p{Script=Han}/u.test(hint)) return hint
  const reason = textField(result, 'reason')
  if (reason === 'invalid_time') return `没能看懂这个时间，或者它已经过去、太远。（${hint}）`
  return CHINESE_REASONS.get(reason) ?? hint
}

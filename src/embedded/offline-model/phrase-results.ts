import type { JsonObject, Language } from '../../contracts/words'
import { phraseAutomations } from './automations/phrase-automations'
import { CRON } from './automations/tools'
import type { CallResult } from './conversation'
import { NOTIFICATIONS } from './intents/notifications'
import { phraseFailure } from './phrase-failure'
import { phraseNotifications } from './phrase-notifications'
import { readPending } from './reminders/pending'
import { askWhich, phraseCancelled, phraseList, phraseScheduled } from './reminders/phrase-reminders'
import { CANCEL, LIST, SCHEDULE } from './reminders/tools'
import { phraseTaskRefusal } from './tasks/phrase-refusal'
import { phraseTaskSuccess } from './tasks/phrases'
import { isTaskTool, QUERY } from './tasks/tools'
import { phraseWork } from './work/phrase-work'
import { isWork } from './work/tools'

type Phrase = (result: JsonObject, language: Language) => string

/** How each tool's success sounds. It grows with the tools. */
const PHRASES: ReadonlyMap<string, Phrase> = new Map([
  [SCHEDULE, phraseScheduled],
  [CANCEL, phraseCancelled],
  [NOTIFICATIONS, phraseNotifications],
  [LIST, (result, language) => phraseList(readPending(result), language)],
])

/** The last result in words: those before it were steps on the way. */
export function phraseResults(results: CallResult[], language: Language): string {
  const last = results.at(-1)
  if (!last) return ''
  const { name, result } = last
  if (isTaskTool(name)) return phraseTasks(results, language)
  if (isWork(name)) return phraseWork(result, language)
  if (result['reason'] === 'which_one') return askWhich(readPending(result), 'cancel', language)
  if (result['success'] !== true) return phraseFailure(name, result, language)
  if (name === CRON) return phraseAutomations(results, language)
  return PHRASES.get(name)?.(result, language) ?? (language === 'zh' ? '好了。' : 'Done.')
}

/** Looking up was a step on the way; what was done to one task after another is said together. */
function phraseTasks(results: CallResult[], language: Language): string {
  const deeds = results.filter(({ name }) => isTaskTool(name) && name !== QUERY)
  const told = deeds.length > 0 ? deeds : results.slice(-1)
  const done = told.filter(({ result }) => result['success'] === true)
  const failed = told.findLast(({ result }) => result['success'] !== true)
  const lines = done.map(({ name, result }) => phraseTaskSuccess(name, result, language))
  return [...lines, ...(failed ? [phraseTaskRefusal(failed.result, language)] : [])].join('\n')
}

import type { JsonObject, Language } from '../../contracts/words'
import { phraseAutomations } from './automations/phrase-automations'
import { CRON } from './automations/tools'
import type { CallResult } from './conversation'
import { phraseFailure } from './phrase-failure'
import { readPending } from './reminders/pending'
import { askWhich, phraseCancelled, phraseList, phraseScheduled } from './reminders/phrase-reminders'
import { CANCEL, LIST, SCHEDULE } from './reminders/tools'
import { phraseWork } from './work/phrase-work'
import { isWork } from './work/tools'

type Phrase = (result: JsonObject, language: Language) => string

/** How each tool's success sounds. It grows with the tools. */
const PHRASES: ReadonlyMap<string, Phrase> = new Map([
  [SCHEDULE, phraseScheduled],
  [CANCEL, phraseCancelled],
  [LIST, (result, language) => phraseList(readPending(result), language)],
])

/** The last result in words: those before it were steps on the way. */
export function phraseResults(results: CallResult[], language: Language): string {
  const last = results.at(-1)
  if (!last) return ''
  const { name, result } = last
  if (isWork(name)) return phraseWork(result, language)
  if (result['reason'] === 'which_one') return askWhich(readPending(result), 'cancel', language)
  if (result['success'] !== true) return phraseFailure(name, result, language)
  if (name === CRON) return phraseAutomations(results, language)
  return PHRASES.get(name)?.(result, language) ?? (language === 'zh' ? '好了。' : 'Done.')
}

import type { Claim } from './claim'
import { QUOTED } from './sentences'

const VERBS: [Claim['does'], string][] = [
  ['create', 'created|added|scheduled|set up|set|booked'],
  ['change', 'updated|changed|moved|rescheduled|postponed|modified|renamed|edited|shifted|pushed back'],
  ['delete', 'deleted|removed|cancell?ed|cleared'],
  ['complete', 'completed|marked|checked off'],
]
const TASK = /\b(?:tasks?|to-?dos?|items?|events?|appointments?|meetings?)\b/i
const REMINDER = /\b(?:reminders?|alarms?|automations?|timers?)\b/i
const OBJECT = new RegExp(
  `${TASK.source}|${REMINDER.source}|\\b(?:it|that|them|those|these|this|calendar|schedule)\\b|${QUOTED}`,
  'i',
)
const DENIED = /\b(?:not|never|nothing|no|cannot|unable|failed)\b|n't\b/i
const EARLIER = /\b(?:earlier|previously|yesterday|ago|last (?:time|week)|before that|already exists?)\b/i
const SUPPOSED = /\b(?:if|once|when|unless|whether|for example|would|could|should|might|shall|can)\b/i
const ADVERBS = '(?:now |just |also |already |successfully |gone ahead and |went ahead and )*'
const ALL_DONE = /^(?:ok(?:ay)?[,!]? )?(?:(?:all )?done|all set|it'?s done|that'?s done)$/i
const PROMISE =
  /\bI(?:'ll| will| shall)\s+(?:be sure to |make sure to |definitely )?(?:remind|notify|ping|wake|alert|message|text) you\b/i
const TIME =
  /[0-9]|\b(?:tomorrow|tonight|today|morning|afternoon|evening|noon|midnight|minutes?|hours?|every|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i

/** What an English sentence, without its quotes, says was done. */
export function findEnglishClaims(sentence: string): Claim[] {
  const isQuestion = /\?\s*$/.test(sentence)
  const clauses = sentence.replace(/[.!?\s]+$/, '').split(/[,;:()—]|\bbut\b/)
  const claims = clauses.flatMap((clause, at) => {
    if ((isQuestion && at === clauses.length - 1) || DENIED.test(clause) || EARLIER.test(clause)) return []
    return readClause(clause.trim())
  })
  const isPromise = PROMISE.test(sentence) && TIME.test(sentence) && !isQuestion && !SUPPOSED.test(sentence)
  return isPromise ? [...claims, { does: 'create', to: 'reminder', isOwnDeed: false }] : claims
}

function readClause(clause: string): Claim[] {
  if (ALL_DONE.test(clause)) return [{ does: 'anything', to: undefined, isOwnDeed: true }]
  for (const [does, verbs] of VERBS) {
    const own = new RegExp(`\\bI(?:'ve| have)? ${ADVERBS}(?:${verbs})\\b|\\bsuccessfully (?:${verbs})\\b`, 'i').exec(
      clause,
    )
    const passive = new RegExp(
      `\\b(?:has|have) ${ADVERBS}been ${ADVERBS}(?:${verbs})\\b|\\b(?:is|are) now ${ADVERBS}(?:${verbs})\\b|\\b(?:was|were) ${ADVERBS}(?:${verbs})\\b|(?:tasks?|reminders?|alarms?|events?|${QUOTED}) (?:${verbs})$`,
      'i',
    ).exec(clause)
    const said = own ?? passive
    if (!said || SUPPOSED.test(clause.slice(0, said.index)) || !isOurs(clause)) continue
    return [{ does, to: nounOf(clause), isOwnDeed: own !== null }]
  }
  return []
}

/** "I've added a second verse" is about a text; what we keep is named, quoted or pointed at. */
const isOurs = (clause: string) => OBJECT.test(clause) || /\b(?:rescheduled|postponed)\b/i.test(clause)

function nounOf(text: string): Claim['to'] {
  const [task, reminder] = [TASK.test(text), REMINDER.test(text)]
  if (task === reminder) return undefined
  return task ? 'task' : 'reminder'
}

import { findJoined, SEAM, takeTimeOut } from '../words/find-times'
import type { ReminderRequest } from './tools'

const ASKS = /\b(?:remind|wake|ping|nudge)\s+me(?:\s+up)?(?:\s+again)?\b/i
/** "tell me a joke" is no reminder; "tell me in 5 minutes to go" is one. */
const ASKS_WITH_TIME = /\b(?:tell|message|text|notify|alert|call)\s+me\b/i
const SETS =
  /\b(?:set|create|add|make|schedule)\s+(?:up\s+)?(?:me\s+)?(?:an?\s+|another\s+|the\s+)?(?:new\s+)?(.{0,40}?)\b(?:reminder|alarm|timer)\b/i
const QUESTION = /^\s*(?:what|when|which|did|have you)\b/i
const POLITE =
  /^(?:[\s,.!:]|please|pls|can you|could you|would you|will you|you|hi|hello|hey|ok|okay|and|also|then|don'?t forget to|do not forget to|remember to|i want you to|i need you to)+(?=\s|$)/i
const LEADING = /^(?:[\s,.!?:;]|to\b|that\b|about\b|of\b|for\b|saying\b|is\b)+/i
const TRAILING = /(?:[\s,.!?:;]|\b(?:to|at|on|please|pls|thanks|thank you|ok|okay)\b)+$/i
const LENGTH = /^[a-z0-9]+[ -]?(?:seconds?|minutes?|hours?)$/i
/** What stands where a time usually does; not "in" or "on", which stand before places too. */
const STRANGE_TIME = /\b(?:at|by|around|before|when|once|until|after)\s+[^,.!?]+$/i

/** Words of a time that the finder does not know: the whole goes to the tool, which reads it or says what is wrong. */
const MORE_TIME =
  /\d|\b(?:last|first|second|third|fourth|other|between|before|after|until|till|later|earlier|latest|every|each|except|twice|thrice|times|biweekly|fortnightly|days?|weekdays?|weeks?|weekends?|months?|years?|hours?|minutes?)\b/i
/** "remind Anna to call me": somebody else is to be reminded. */
const OTHERS = /\b(?:remind|tell|ask|wake)\s+(?!me\b|us\b)[a-z]+/i

export function readEnglishRequest(text: string): ReminderRequest | undefined {
  if (QUESTION.test(text)) return undefined
  const asked = ASKS.exec(text)
  if (asked) return splitAround(text, asked)
  const set = SETS.exec(text)
  if (set) return splitSetting(text, set)
  const maybe = ASKS_WITH_TIME.exec(text)
  if (maybe && OTHERS.test(text.slice(0, maybe.index))) return undefined
  return maybe && takeTimeOut(text, 'en') ? splitAround(text, maybe) : undefined
}

function splitAround(text: string, asking: RegExpExecArray): ReminderRequest {
  const before = text.slice(0, asking.index).replace(POLITE, '').trim()
  return split(before, text.slice(asking.index + asking[0].length))
}

function splitSetting(text: string, set: RegExpExecArray): ReminderRequest {
  const before = text.slice(0, set.index).replace(POLITE, '').trim()
  return split([before, set[1] ?? ''].join(SEAM), text.slice(set.index + set[0].length))
}

function split(before: string, after: string): ReminderRequest {
  const taken = takeTimeOut(`${before}${SEAM}${after}`, 'en')
  const [when = '', ...about] = after.split(/\b(?=(?:to|that|about)\b)/i)
  if (taken && saysMore(before)) return { time: before.replaceAll(SEAM, ' ').trim(), what: clean(after) }
  if (taken && saysMore(when))
    return { time: `${before} ${when}`.replaceAll(SEAM, ' ').trim(), what: clean(about.join('')) }
  if (taken) return { time: taken.time, what: whatIn(taken.rest) }
  const lead = before.replaceAll(SEAM, ' ').trim()
  // "a 10 minute timer" says how long, not when.
  if (lead !== '') return { time: LENGTH.test(lead) ? `in ${lead}` : lead, what: clean(after) }
  const strange = STRANGE_TIME.exec(after)
  if (strange) return { time: strange[0].trim(), what: clean(after.slice(0, strange.index)) }
  return { time: undefined, what: clean(after) }
}

/** Whether there is more of a time in it than the finder takes out: another one, or a word that changes what it means. */
function saysMore(part: string): boolean {
  const taken = takeTimeOut(part, 'en')
  return taken !== undefined && (MORE_TIME.test(taken.rest) || findJoined(part, 'en') !== undefined)
}

/** What stood before the asking words may still be polite ("in 5 minutes, please"). */
function whatIn(rest: string): string | undefined {
  const [before = '', ...after] = rest.split(SEAM)
  return clean([before.replace(POLITE, ''), ...after].join(' '))
}

function clean(text: string): string | undefined {
  const what = text.replace(LEADING, '').replace(TRAILING, '').replaceAll(/\s+/g, ' ').trim()
  return what === '' ? undefined : what
}

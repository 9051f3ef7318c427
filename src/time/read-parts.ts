import { chineseFillers, chineseRules } from './chinese/rules'
import { chineseLead, chineseTail } from './chinese/requests'
import type { Draft } from './draft'
import { joinDrafts } from './draft'
import { spelled } from './english/numbers'
import { englishFillers, englishRules } from './english/rules'
import { englishLead, englishTail } from './english/requests'
import type { Rule } from './grammar'
import { longest, map, number, word } from './grammar'
import { chineseNumericDates } from './numeric-dates'
import type { Token } from './tokens'
import { zones } from './zone-rules'

/** A number that stands alone; what is beside it must explain it later. */
const bareNumber: Rule<Draft> = number(({ value, digits }) =>
  !Number.isNaN(value) ? { bare: value, bareDigits: digits } : undefined,
)
const spelledNumber: Rule<Draft> = map(spelled, (value) => ({ bare: value, bareDigits: '' }))
const signs = word(', . ; : " \' ( ) ! ·')
const dash = word('-')

interface Grammar {
  lead: Rule<unknown>
  part: Rule<Draft>
  tail: Rule<unknown>
}
const grammarOf = (part: Rule<Draft>): Grammar => ({
  lead: longest<unknown>(englishLead(part), chineseLead),
  part,
  tail: longest<unknown>(englishTail(part), chineseTail(part)),
})
const english = grammarOf(longest(...englishRules, ...zones, bareNumber, spelledNumber))
const chinese = grammarOf(
  longest(...chineseNumericDates, ...chineseRules, ...englishRules, ...zones, bareNumber, spelledNumber),
)
const fillers = longest<unknown>(signs, englishFillers, chineseFillers)

export type Read = { ok: true; draft: Draft } | { ok: false; reason: 'stuck' | 'contradiction' | 'empty' }

/**
 * Reads the whole text part by part, each the longest that fits; one token that nothing explains and it is refused. Around a
 * time a request may stand, unless only the time is asked for.
 */
export function readParts(tokens: readonly Token[], language: 'zh' | 'en', isRequest = true): Read {
  const { lead, part, tail } = language === 'zh' ? chinese : english
  let draft: Draft = {}
  let at = (isRequest ? lead(tokens, 0)?.next : undefined) ?? 0
  let dangling = false
  while (at < tokens.length) {
    const found = part(tokens, at)
    if (found) {
      const joined = joinDrafts(draft, found.value)
      if (!joined) return { ok: false, reason: 'contradiction' }
      draft = joined
      dangling = false
      at = found.next
      continue
    }
    // A dash may part a date from its clock, but one in front would be a minus.
    const rest = isRequest ? tail(tokens, at) : undefined
    const skipped = fillers(tokens, at) ?? (isEmpty(draft) ? undefined : (dash(tokens, at) ?? rest))
    if (!skipped) return { ok: false, reason: 'stuck' }
    dangling = isDangling(tokens[at])
    at = skipped.next
  }
  if (dangling) return { ok: false, reason: 'stuck' }
  return isEmpty(draft) ? { ok: false, reason: 'empty' } : { ok: true, draft }
}

const isEmpty = (draft: Draft): boolean => Object.keys(draft).length === 0

/** A text that ends in "at" or "on" was cut short. */
const isDangling = (last: Token | undefined): boolean => last !== undefined && DANGLING.has(last.text)
const DANGLING = new Set('the on at of for by about around until till up no in 在 于 @ ~ -'.split(' '))

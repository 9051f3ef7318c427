import type { Draft } from '../draft'
import { end, longest, many, map, notBefore, optional, phrase, sequence, token, word } from '../grammar'
import type { Rule } from '../grammar'

const politeness = optional(longest(phrase('please'), phrase('can you'), phrase('could you'), phrase('pls')))
const asking = sequence(
  politeness,
  word('remind wake call ping tell notify alert message text'),
  word('me us'),
  optional(word('up again')),
)

const plainWord = (part: Rule<Draft>): Rule<string> =>
  map(
    sequence(
      notBefore(part),
      token(({ kind, text }) => (kind === 'word' ? text : undefined)),
    ),
    ([, text]) =>
      /^(not|never|every|each|daily|weekly|or|if|when|unless|before|between|ago|except|don't|to|from|soon|later)$/.test(
        text,
      )
        ? undefined
        : text,
  )

/** "remind me to call mum", "the deadline is": what stands around a time in a request. */
export const englishLead = (part: Rule<Draft>): Rule<unknown> =>
  longest<unknown>(
    sequence(asking, optional(sequence(word('to about of that'), many(plainWord(part))))),
    sequence(word('the my our'), many(plainWord(part))),
  )

/** "tomorrow at 9 to call mum": a task after the time. */
export const englishTail = (part: Rule<Draft>): Rule<unknown> => {
  const task = sequence(word('to for about that'), many(plainWord(part)))
  return map(sequence(optional(asking), optional(task), end), ([asked, told]) => (asked || told ? true : undefined))
}

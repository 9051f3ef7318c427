import { anyDuration as chineseDuration } from '../../chinese/durations'
import { whole as chineseWhole } from '../../chinese/numbers'
import type { Draft } from '../../draft'
import { duration as englishDuration } from '../../english/durations'
import { whole as englishWhole } from '../../english/numbers'
import { ANYTHING } from '../../first-set'
import { longest, map, notBefore, optional, phrase, rule, sequence, word } from '../../grammar'
import type { Rule } from '../../grammar'
import { readParts } from '../../read-parts'
import type { Token } from '../../tokens'
import type { Piece } from './piece'

const momentIn = (run: readonly Token[]): Draft | undefined => {
  if (AT_NO_EDGE.has(run[0]?.text ?? '') || AT_NO_EDGE.has(run.at(-1)?.text ?? '')) return undefined
  if (run.some(({ text, kind }) => NEVER_WITHIN.has(text) || kind === 'unknown')) return undefined
  const read = readParts(run, 'zh', false)
  return read.ok && isMoment(read.draft) ? read.draft : undefined
}

/** The longest run of tokens that the reader of one-time expressions understands whole, in place of a rule of our own. */
const someMoment: Rule<Draft> = rule(ANYTHING, (tokens, at) => {
  for (let next = Math.min(tokens.length, at + LONGEST_MOMENT); next > at; next -= 1) {
    const draft = momentIn(tokens.slice(at, next))
    if (draft) return { value: draft, next }
  }
  return undefined
})

/** 下周一开始: the word that makes it a beginning stands after the moment, so it is looked for first. */
const momentThatStarts: Rule<Draft> = rule(ANYTHING, (tokens, at) => {
  const length = tokens.slice(at, at + LONGEST_MOMENT).findIndex(({ text }) => text === '开始' || text === '起')
  const draft = length > 0 ? momentIn(tokens.slice(at, at + length)) : undefined
  return draft && { value: draft, next: at + length + 1 }
})
const isMoment = ({ shift, zone, bare, hourMark }: Draft): boolean =>
  shift === undefined && zone === undefined && bare === undefined && hourMark === undefined
const LONGEST_MOMENT = 10
const AT_NO_EDGE = new Set(', . ; : - 的 在 于 和 and'.split(' '))
const NEVER_WITHIN = new Set('every each for until till through to times 每 逢 开始 起 到 至 直到'.split(' '))

const on = optional(word('on from at in'))
const onwards = optional(longest<unknown>(word('on onward onwards forward'), phrase('and onwards')))

const starts: Rule<Piece[]> = map(
  longest(
    map(
      sequence(word('starting beginning commencing effective starts begins start begin'), on, someMoment, onwards),
      ([, , draft]) => draft,
    ),
    map(sequence(word('from since'), someMoment, onwards), ([, draft]) => draft),
    map(
      sequence(word('从 自 自从 打从'), someMoment, optional(word('开始 起 以后 之后 往后 后'))),
      ([, draft]) => draft,
    ),
    momentThatStarts,
  ),
  (draft) => [{ kind: 'from', draft }],
)

const ends: Rule<Piece[]> = longest(
  map(
    sequence(
      longest<unknown>(
        word('until till til ending ends end'),
        phrase('up to'),
        phrase('up until'),
        phrase('ending on'),
        phrase('ends on'),
        phrase('until the end of the day on'),
      ),
      optional(word('on')),
      someMoment,
    ),
    ([, , draft]): Piece[] => [{ kind: 'until', draft }],
  ),
  map(sequence(word('through thru'), someMoment), ([, draft]): Piece[] => [{ kind: 'until', draft, isThrough: true }]),
  map(
    sequence(
      longest<unknown>(word('直到 到 至 截止 截至 截'), sequence(word('截止 截至 持续 一直'), word('到 至'))),
      someMoment,
      optional(word('为止 止 结束 截止')),
    ),
    ([, draft]): Piece[] => [{ kind: 'until', draft }],
  ),
)

const lasts: Rule<Piece[]> = map(
  longest(
    map(
      sequence(
        word('for over during'),
        optional(word('the')),
        optional(word('next following coming')),
        englishDuration,
      ),
      ([, , , found]) => found,
    ),
    map(
      sequence(
        word('连续 持续 接下来 未来 今后 连着 往后 为期'),
        optional(word('的')),
        chineseDuration,
        optional(word('内 里 之内 以内')),
      ),
      ([, , found]) => found,
    ),
  ),
  (duration) => [{ kind: 'lasting', duration }],
)

const total = optional(longest<unknown>(phrase('in total'), phrase('in all'), word('total altogether')))
const counts: Rule<Piece[]> = map(
  longest(
    map(
      sequence(
        optional(
          longest<unknown>(
            word('for only just'),
            phrase('a total of'),
            phrase('for a total of'),
            phrase('ending after'),
            phrase('ends after'),
            phrase('stop after'),
            phrase('up to'),
          ),
        ),
        englishWhole,
        word('times occurrences runs repetitions'),
        notBefore(word('a an per each every daily weekly monthly')),
        total,
      ),
      ([, found]) => found,
    ),
    map(
      sequence(
        word('共 一共 总共 合计 重复 执行 运行 最多 只 仅'),
        optional(word('执行 重复 运行')),
        chineseWhole,
        word('次 回 遍'),
      ),
      ([, , found]) => found,
    ),
  ),
  (count) => (count >= 1 && count <= 1_000_000 ? [{ kind: 'count', count }] : undefined),
)

/** When what repeats begins and how long it goes on. */
export const bounds: Rule<Piece[]>[] = [starts, ends, lasts, counts]

import type { Draft } from '../draft'
import { ANYTHING } from '../first-set'
import { rule } from '../grammar'
import type { Rule } from '../grammar'
import type { Token } from '../tokens'

/** Verbs of asking: what follows them is the task, which may hold any word that is not a time. */
const ASKING = ['提醒', '通知', '告诉', '叫', '喊', '发', '帮', '给']
/** Ways to open a request; what comes after must be the time. */
const OPENINGS = [
  ...['提醒我', '叫我', '喊我', '通知我', '告诉我', '帮我', '给我', '麻烦', '请问', '记得', '到时候', '我想', '我要'],
  ...[
    '定个',
    '定',
    '设个',
    '设置',
    '设',
    '安排',
    '那就',
    '你',
    '嗨',
    '你好',
    '大家好',
    'hi',
    'hello',
    'hey',
    'all',
    '请',
    ',',
    '.',
    '!',
  ],
]
const HARMLESS = new Set(['一下', '一次', '的', '了', '吧', '个', '我', ',', '.', '!', '闹钟', '中'])
const LONGEST_TASK = 40

/**
 * The task after the time: "明天早上9点提醒我开会", "周一开会". Only words the time grammar does not know may stand in
 * it, so that 前, 到, 或者, 的时候 and a second time are never passed over.
 */
export const chineseTail = (part: Rule<Draft>): Rule<true> =>
  rule(ANYTHING, (tokens, at) => {
    const rest = tokens.slice(at)
    const first = rest[0]
    if (!first || (first.kind !== 'unknown' && first.text !== '闹钟') || rest.length > LONGEST_TASK) return undefined
    const asked = ASKING.some((verb) => textOf(rest).startsWith(verb))
    const plain = rest.every(
      (here, index) => isTask(here) || (asked && isLoose(rest, index) && !part(tokens, at + index)),
    )
    return plain ? { value: true, next: tokens.length } : undefined
  })

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join('')

const isTask = ({ kind, text }: Token): boolean => kind === 'unknown' || HARMLESS.has(text)

/** One-letter words of the time grammar are common in other words too (天气, 分享), unless a number counts them. */
const isLoose = (rest: readonly Token[], index: number): boolean => {
  const here = rest[index]
  return here !== undefined && here.kind === 'word' && here.text.length === 1 && rest[index - 1]?.kind !== 'number'
}

/** "麻烦提醒我明天9点": one opening after another, as long as they last. */
export const chineseLead: Rule<true> = rule(ANYTHING, (tokens, at) => {
  let next = at
  for (;;) {
    const rest = textOf(tokens.slice(next, next + 4))
    const opening = OPENINGS.find((words) => rest.startsWith(words))
    const length = opening === undefined ? 0 : tokensIn(tokens, next, opening)
    if (length === 0) return next > at ? { value: true, next } : undefined
    next += length
  }
})

/** How many tokens make up the words; none if a token reaches beyond them. */
function tokensIn(tokens: readonly Token[], at: number, words: string): number {
  let read = ''
  let count = 0
  while (read.length < words.length) {
    read += tokens[at + count]?.text ?? words
    count += 1
  }
  return read === words ? count : 0
}

import { either, many, map, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'

/** 这 is 0, 下 is 1, 下下 is 2, 上 is -1. */
export const step: Rule<number> = either(
  map(sequence(many(word('下')), optional(word('个'))), ([steps]) => steps.length),
  map(sequence(many(word('上')), optional(word('个'))), ([steps]) => -steps.length),
  map(sequence(word('这 本 今'), optional(word('一')), optional(word('个'))), () => 0),
)

/** Words in groups, each group with its number. */
export const numbered = (groups: [string, number][]): Map<string, number> =>
  new Map(groups.flatMap(([words, value]) => words.split(' ').map((name): [string, number] => [name, value])))

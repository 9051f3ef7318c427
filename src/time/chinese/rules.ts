import type { Draft } from '../draft'
import { either, map, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'
import { clocks } from './clocks'
import { days } from './days'
import { durations } from './durations'
import { months } from './months'

const now: Rule<Draft> = map(
  word('现在 此刻 此时 当前 目前 而家 依家 立刻 立即 马上 即刻 这会儿 当下 眼下 如今'),
  () => ({ now: true as const }),
)

const sameTime: Rule<Draft> = map(
  either<unknown>(
    sequence(word('这 这个 同一 同'), optional(word('个 一')), word('时候 时间')),
    sequence(word('同样'), optional(word('的')), word('时间')),
  ),
  () => ({ sameTime: true as const }),
)

/** Words that add nothing to the meaning, wherever they stand. */
export const chineseFillers = word(
  '的 在 于 是 大约 大概 约 差不多 左右 上下 准时 整 正 请 就 吧 那 啊 呢 哦 哈 了 开始 当地时间 本地时间 公历 阳历',
)

export const chineseRules: Rule<Draft>[] = [...days, ...months, ...clocks, ...durations, now, sameTime]

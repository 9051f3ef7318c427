import { PERIODS } from './chinese/clocks'
import { digitsOf } from './digital-clock'
import type { Draft } from './draft'
import { before, longest, map, meaning, notBefore, sequence, word } from './grammar'
import type { Rule } from './grammar'

const short = digitsOf(1, 2)
const long = digitsOf(4, 4)
const slash = word('/')
const dash = word('-')
const dot = word('.')
const more = word('- / .')
/** 2012-14 and 10.1-10.12 are no dates: no sign and no digit may follow a date directly. */
const closed = notBefore(sequence(more, digitsOf(1, 9), notBefore(word(':'))))

const full = (year: string, month: string, day: string): Draft => ({
  year: fullYear(year),
  month: Number(month),
  day: Number(day),
})

function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits)
  return Number(digits) + (Number(digits) < 70 ? 2000 : 1900)
}

/** Month first, as in America, unless only day first can be a date. */
function monthFirst(left: string, right: string): { month: number; day: number } {
  const swapped = Number(left) > 12 && Number(right) <= 12
  return swapped ? { month: Number(right), day: Number(left) } : { month: Number(left), day: Number(right) }
}

const yearFirst = (sign: Rule<unknown>): Rule<Draft> =>
  map(sequence(long, sign, short, sign, short, closed), ([year, , month, , day]) => full(year, month, day))

const compact: Rule<Draft> = map(digitsOf(8, 8), (digits) =>
  Number(digits.slice(4, 6)) <= 12 ? full(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) : undefined,
)
const spacedYearFirst: Rule<Draft> = map(sequence(long, digitsOf(2, 2), digitsOf(2, 2)), ([year, month, day]) =>
  full(year, month, day),
)
const slashed: Rule<Draft> = longest<Draft>(
  map(sequence(short, slash, short, closed), ([left, , right]) => monthFirst(left, right)),
  map(sequence(short, slash, short, word('/ ,'), digitsOf(2, 4)), ([left, , right, , year]) =>
    year.length === 3 ? undefined : { ...monthFirst(left, right), year: fullYear(year) },
  ),
  map(sequence(short, word('/ -'), long), ([month, , year]) =>
    Number(month) <= 12 ? { month: Number(month), year: Number(year) } : undefined,
  ),
  map(sequence(long, word('/ -'), digitsOf(2, 2), closed), ([year, , month]) =>
    Number(month) <= 12 ? { month: Number(month), year: Number(year) } : undefined,
  ),
)
const dashed: Rule<Draft> = map(sequence(short, dash, short, closed), ([left, , right]) => monthFirst(left, right))
/** In English "9-5" is a span of hours; only a number past twelve makes it a date. */
const clearlyDashed: Rule<Draft> = map(sequence(short, dash, short, closed), ([left, , right]) =>
  Math.max(Number(left), Number(right)) > 12 || left === right ? monthFirst(left, right) : undefined,
)
const dotted: Rule<Draft> = map(sequence(short, dot, short, dot, long), ([day, , month, , year]) =>
  Number(month) > 12 && Number(day) <= 12 ? full(year, day, month) : full(year, month, day),
)
/** 6·30, as Chinese headlines write it. */
const middleDot: Rule<Draft> = map(sequence(short, word('·'), short), ([month, , day]) => monthFirst(month, day))
const leadingSlash: Rule<Draft> = map(sequence(slash, slashed), ([, date]) => date)

const shared = [
  yearFirst(slash),
  yearFirst(dash),
  yearFirst(dot),
  compact,
  spacedYearFirst,
  slashed,
  dotted,
  leadingSlash,
  middleDot,
]

/** Dashes with the year last: day first in Chinese text, month first in English. */
const yearLast = (language: 'zh' | 'en'): Rule<Draft> =>
  map(sequence(short, dash, short, dash, long, closed), ([left, , right, , year]) => {
    if (language === 'en') return { ...monthFirst(left, right), year: Number(year) }
    return Number(right) > 12 ? full(year, left, right) : full(year, right, left)
  })
/** 9-18-15: month first, where the second number cannot be a month; 4-5-6 stays a riddle. */
const shortYearLast: Rule<Draft> = map(
  sequence(short, dash, digitsOf(2, 2), dash, digitsOf(2, 2), closed),
  ([month, , day, , year]) => (Number(month) <= 12 && Number(day) > 12 ? full(year, month, day) : undefined),
)
/** 27-7-3: a short year first, only in Chinese text and only where it cannot be a day. */
const shortYearFirst: Rule<Draft> = map(
  sequence(digitsOf(2, 2), dash, short, dash, short, closed),
  ([year, , month, , day]) => full(year, month, day),
)

/** 12.25晚上: a part of the day must follow, because 12.25 alone is a number. */
const pointed: Rule<Draft> = map(sequence(short, dot, short, before(meaning(PERIODS))), ([month, , day]) => ({
  month: Number(month),
  day: Number(day),
}))

export const chineseNumericDates: Rule<Draft>[] = [...shared, dashed, yearLast('zh'), shortYearFirst, pointed]
export const englishNumericDates: Rule<Draft>[] = [...shared, clearlyDashed, yearLast('en'), shortYearLast]

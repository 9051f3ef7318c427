import { either, map, number, optional, sequence, word } from '../grammar'
import type { Rule } from '../grammar'

/** Any whole number, in digits or numerals. */
export const whole: Rule<number> = number(({ value }) => (Number.isNaN(value) ? undefined : value))

/** Digits as written, for years ("二零一八", "2018") and for what only digits can say. */
export const digits: Rule<string> = number((here) => here.digits || undefined)

const decimal: Rule<number> = map(sequence(digits, word('. 点'), digits), ([whole, , fraction]) =>
  Number(`${whole}.${fraction}`),
)

/** 几 is three, as "a few" is. */
const few: Rule<number> = map(word('几'), () => 3)

export const amount: Rule<number> = either(decimal, whole, few)

export const measure: Rule<string | undefined> = optional(word('个'))

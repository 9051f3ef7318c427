import { LEXICON, LONGEST_WORD } from './chinese/lexicon'
import { isNumeral, readNumeral } from './chinese/numerals'

export interface Token {
  kind: 'number' | 'word' | 'symbol' | 'unknown'
  text: string
  /** NaN unless the token is a number with one clear amount. */
  value: number
  /** The digits as written; empty for numerals with places such as 二十. */
  digits: string
  /** Whether white space stands before it. */
  spaced: boolean
}

const PIECE = /\s+|\d+|[a-z]+(?:'[a-z]+)*|\p{Script=Han}+|[^]/gu
const HAN = /^\p{Script=Han}/u

const NO_MORE: ReadonlySet<string> = new Set()

/** Cuts normalized text into words, numbers and signs in one pass; `more` are Chinese words beyond those of a time. */
export function tokenize(text: string, more: ReadonlySet<string> = NO_MORE): Token[] {
  const tokens: Token[] = []
  let spaced = false
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece.trim() === '') {
      spaced = true
      continue
    }
    const cut = HAN.test(piece) ? cutChinese(piece, more) : [cutPlain(piece)]
    tokens.push(...cut.map((token, index) => ({ ...token, spaced: spaced && index === 0 })))
    spaced = false
  }
  return joinWeekdayDigits(tokens)
}

type Cut = Omit<Token, 'spaced'>

function cutPlain(text: string): Cut {
  if (/^\d/.test(text)) return { kind: 'number', text, value: Number(text), digits: text }
  return { kind: /^[a-z]/.test(text) ? 'word' : 'symbol', text, value: Number.NaN, digits: '' }
}

function cutChinese(run: string, more: ReadonlySet<string>): Cut[] {
  const tokens: Cut[] = []
  for (let at = 0; at < run.length;) {
    const token = knownWordAt(run, at, more) ?? numeralAt(run, at) ?? unknownAt(run, at)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function knownWordAt(run: string, at: number, more: ReadonlySet<string>): Cut | undefined {
  for (let length = Math.min(LONGEST_WORD, run.length - at); length > 0; length -= 1) {
    const text = run.slice(at, at + length)
    if (LEXICON.has(text) || more.has(text)) return { kind: 'word', text, value: Number.NaN, digits: '' }
  }
  return undefined
}

function numeralAt(run: string, at: number): Cut | undefined {
  let end = at
  while (end < run.length && isNumeral(run.charAt(end))) end += 1
  if (end === at) return undefined
  const text = run.slice(at, end)
  return { kind: 'number', text, ...readNumeral(text) }
}

function unknownAt(run: string, at: number): Cut {
  const text = String.fromCodePoint(run.codePointAt(at) ?? 0)
  return { kind: 'unknown', text, value: Number.NaN, digits: '' }
}

/** "周5" is written with a digit, which the cut above leaves as two tokens. */
function joinWeekdayDigits(tokens: Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1]
    if (before && isWeekdayDigit(before, token)) return []
    const next = tokens[index + 1]
    return next && isWeekdayDigit(token, next) ? [{ ...token, text: token.text + next.text }] : [token]
  })
}

function isWeekdayDigit(week: Token, digit: Token): boolean {
  return ['周', '星期', '礼拜'].includes(week.text) && /^[1-6]$/.test(digit.text)
}

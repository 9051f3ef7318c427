import { clocks as chineseClocks } from '../../chinese/clocks'
import type { Draft } from '../../draft'
import { clocks as englishClocks } from '../../english/clocks'
import { period } from '../../english/periods'
import { longest, map, word } from '../../grammar'
import type { Rule } from '../../grammar'
import type { Token } from '../../tokens'
import { zones } from '../../zone-rules'
import { bounds } from './bounds'
import { chineseAnd, chineseFillers, chinesePieces } from './chinese'
import { englishAnd, englishFillers, englishPieces } from './english'
import { cityZones } from './city-zones'
import type { Piece } from './piece'
import { windows } from './windows'

/** A clock or a part of the day; 今晚 names a day and does not repeat. */
const timeOf =
  (leads: boolean) =>
  ({ clock, period: part, zone, ...rest }: Draft): Piece[] | undefined => {
    if (Object.keys(rest).length > 0) return undefined
    const said: Piece = { kind: 'time', ...(part ? { period: part } : {}), ...(clock ? { clock } : {}) }
    const led: Piece = leads && part ? { ...said, leads: true } : said
    return zone ? [led, { kind: 'zone', zone }] : [led]
  }
const time: Rule<Piece[]> = longest(
  map(longest(...chineseClocks), timeOf(true)),
  map(longest(...englishClocks, period), timeOf(false)),
)
const zone: Rule<Piece[]> = longest(
  map(longest(...zones), ({ zone: found }): Piece[] | undefined =>
    found ? [{ kind: 'zone', zone: found }] : undefined,
  ),
  map(cityZones, (found): Piece[] => [{ kind: 'zone', zone: found }]),
)

const piece = longest<Piece[]>(...englishPieces, ...chinesePieces, time, windows, zone, ...bounds)
const and = longest<unknown>(englishAnd, chineseAnd, word(', ;'))
const fillers = longest<unknown>(englishFillers, chineseFillers, word('. ! ( ) "'))

/** Reads the whole text piece by piece, each the longest that fits; undefined when a token has no place. */
export function readPieces(tokens: readonly Token[]): Piece[] | undefined {
  const pieces: Piece[] = []
  let at = 0
  let open = true
  while (at < tokens.length) {
    const found = piece(tokens, at)
    const skipped = found ?? and(tokens, at) ?? fillers(tokens, at)
    if (!skipped) return undefined
    if (found) pieces.push(...found.value)
    else if (and(tokens, at)) pieces.push({ kind: 'and', ...(tokens[at]?.text === ',' ? { isComma: true } : {}) })
    open = !found && OPEN.has(tokens[at]?.text ?? '')
    at = skipped.next
  }
  return open ? undefined : pieces
}

/** A text that ends in one of these was cut short. */
const OPEN = new Set('the on at of in and & plus , 在 于 和 及 与'.split(' '))

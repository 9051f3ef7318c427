const DIGITS = new Map([...'零一二三四五六七八九'].map((character, value) => [character, value]))
DIGITS.set('两', 2)
DIGITS.set('俩', 2)

const PLACES = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
])
const SHORT_TENS = new Map([
  ['廿', 20],
  ['卅', 30],
])

export function isNumeral(character: string): boolean {
  return DIGITS.has(character) || PLACES.has(character) || SHORT_TENS.has(character)
}

export interface Numeral {
  /** The amount, or NaN where the run is only digits read out ("一九九八") or two guesses ("两三"). */
  value: number
  /** The digits read out one by one, as years are; empty where the run has 十, 百 or 千. */
  digits: string
}

export function readNumeral(run: string): Numeral {
  const characters = [...run]
  if (!characters.every((character) => DIGITS.has(character))) return { value: readPlaces(characters), digits: '' }
  const digits = characters.map((character) => DIGITS.get(character)).join('')
  const spelledOut = digits.length === 1 || digits.includes('0')
  return { value: spelledOut ? Number(digits) : Number.NaN, digits }
}

function readPlaces(characters: string[]): number {
  let total = 0
  let pending: number | undefined
  let lowestPlace = 10_000
  for (const character of characters) {
    const place = PLACES.get(character)
    const tens = SHORT_TENS.get(character)
    const digit = DIGITS.get(character)
    if (place !== undefined) {
      if (place >= lowestPlace) return Number.NaN
      total += (pending ?? 1) * place
      pending = undefined
      lowestPlace = place
    } else if (tens !== undefined) {
      if (lowestPlace <= 10 || pending !== undefined) return Number.NaN
      total += tens
      lowestPlace = 10
    } else if (digit !== 0) {
      if (pending !== undefined) return Number.NaN
      pending = digit
    }
  }
  return total + (pending ?? 0)
}

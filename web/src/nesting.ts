import type { Token } from 'marked'

const MOST_LEVELS = 32
/** Quotes and lists that begin in one line, each inside the one before. */
const MANY_BEGIN = new RegExp(`^(?:[ \\t]*(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])){${MOST_LEVELS},}`, 'm')

/** Whether a line of it alone would nest deeper than anything that is meant to be read so. */
export const opensTooDeep = (text: string) => MANY_BEGIN.test(text)

interface Nested {
  tokens?: Token[]
  items?: { tokens: Token[] }[]
}

/** Walks level by level: the depth of a text is no depth of calls here. */
export function nestsTooDeep(tokens: Token[]): boolean {
  let level = tokens as Nested[]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 2 * MOST_LEVELS) return true
    level = level.flatMap(({ tokens: inner = [], items = [] }) => [...inner, ...items]) as Nested[]
  }
  return false
}

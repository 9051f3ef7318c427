import type { Token } from './tokens'

/** Which tokens a rule can begin with. */
export interface First {
  texts: ReadonlySet<string>
  numbers: boolean
  /** It may begin with a token that cannot be told from a list. */
  anything: boolean
  /** It may read nothing at all, so what follows it counts too. */
  empty: boolean
}

export const NOTHING: First = { texts: new Set(), numbers: false, anything: false, empty: true }
export const NUMBERS: First = { texts: new Set(), numbers: true, anything: false, empty: false }
export const ANYTHING: First = { texts: new Set(), numbers: false, anything: true, empty: false }

export function startsWith(texts: Iterable<string>): First {
  return { texts: new Set(texts), numbers: false, anything: false, empty: false }
}

export function firstOfAll(firsts: First[]): First {
  return {
    texts: new Set(firsts.flatMap(({ texts }) => [...texts])),
    numbers: firsts.some(({ numbers }) => numbers),
    anything: firsts.some(({ anything }) => anything),
    empty: firsts.some(({ empty }) => empty),
  }
}

/** The first rule counts, and each one after it as long as all before it may be empty. */
export function firstOfSequence(firsts: First[]): First {
  const needed = firsts.findIndex(({ empty }) => !empty)
  const counted = needed < 0 ? firsts : firsts.slice(0, needed + 1)
  return { ...firstOfAll(counted), empty: needed < 0 }
}

/** A table from a token to the rules that can begin with it, in their order. */
export function indexByFirst<R extends { first: First }>(
  rules: readonly R[],
): (token: Token | undefined) => readonly R[] {
  const open = (first: First): boolean => first.anything || first.empty
  const texts = new Set(rules.flatMap(({ first }) => [...first.texts]))
  const byText = new Map<string, R[]>()
  const byNumberText = new Map<string, R[]>()
  for (const text of texts) {
    byText.set(
      text,
      rules.filter(({ first }) => open(first) || first.texts.has(text)),
    )
    byNumberText.set(
      text,
      rules.filter(({ first }) => open(first) || first.numbers || first.texts.has(text)),
    )
  }
  const otherNumbers = rules.filter(({ first }) => open(first) || first.numbers)
  const others = rules.filter(({ first }) => open(first))
  return (token) => {
    if (token?.kind === 'number') return byNumberText.get(token.text) ?? otherNumbers
    return (token && byText.get(token.text)) ?? others
  }
}

import type { First } from './first-set'
import { ANYTHING, firstOfAll, firstOfSequence, indexByFirst, NOTHING, NUMBERS, startsWith } from './first-set'
import type { Token } from './tokens'

export interface Found<T> {
  value: T
  next: number
}

/** Reads something at a place in the tokens, or nothing. It never looks back, so a text is read once from left to right. */
export interface Rule<T> {
  (tokens: readonly Token[], at: number): Found<T> | undefined
  /** What its first token can be, so that a choice of many rules tries only the few that can begin here. */
  first: First
}

type Read<T> = (tokens: readonly Token[], at: number) => Found<T> | undefined
type ValuesOf<R extends readonly Rule<unknown>[]> = { [K in keyof R]: R[K] extends Rule<infer V> ? V : never }

export function rule<T>(first: First, read: Read<T>): Rule<T> {
  return Object.assign(read, { first })
}

function single<T>(first: First, read: (token: Token) => T | undefined): Rule<T> {
  return rule(first, (tokens, at) => {
    const here = tokens[at]
    const value = here && read(here)
    return value === undefined ? undefined : { value, next: at + 1 }
  })
}

export function token<T>(read: (token: Token) => T | undefined): Rule<T> {
  return single(ANYTHING, read)
}

export function number<T>(read: (token: Token) => T | undefined): Rule<T> {
  return single(NUMBERS, (here) => (here.kind === 'number' ? read(here) : undefined))
}

/** One of these words or signs, given as a space-separated list. */
export function word(list: string): Rule<string> {
  const texts = new Set(list.split(' '))
  return single(startsWith(texts), ({ text }) => (texts.has(text) ? text : undefined))
}

/** One of the words of a table, giving its meaning. */
export function meaning<T>(table: ReadonlyMap<string, T>): Rule<T> {
  return single(startsWith(table.keys()), ({ text }) => table.get(text))
}

export function sequence<R extends readonly Rule<unknown>[]>(...rules: R): Rule<ValuesOf<R>> {
  return rule(firstOfSequence(rules.map(({ first }) => first)), (tokens, at) => {
    const values: unknown[] = []
    let next = at
    for (const each of rules) {
      const found = each(tokens, next)
      if (!found) return undefined
      values.push(found.value)
      next = found.next
    }
    return { value: values as ValuesOf<R>, next }
  })
}

/** Several words in a row, such as "from now". */
export function phrase(text: string): Rule<string> {
  return map(sequence(...text.split(' ').map((part) => word(part))), () => text)
}

export function optional<T>(each: Rule<T>): Rule<T | undefined> {
  return rule<T | undefined>(
    { ...each.first, empty: true },
    (tokens, at) => each(tokens, at) ?? { value: undefined, next: at },
  )
}

export function either<T>(...rules: Rule<T>[]): Rule<T> {
  const choose = indexByFirst(rules)
  return rule(firstOfAll(rules.map(({ first }) => first)), (tokens, at) => {
    for (const each of choose(tokens[at])) {
      const found = each(tokens, at)
      if (found) return found
    }
    return undefined
  })
}

/** The rule that reads furthest; of two that read as far, the earlier. */
export function longest<T>(...rules: Rule<T>[]): Rule<T> {
  const choose = indexByFirst(rules)
  return rule(firstOfAll(rules.map(({ first }) => first)), (tokens, at) => {
    let best: Found<T> | undefined
    for (const each of choose(tokens[at])) {
      const found = each(tokens, at)
      if (found && found.next > (best?.next ?? at)) best = found
    }
    return best
  })
}

/** Gives what was read a meaning; undefined means that it was not this after all. */
export function map<T, U>(each: Rule<T>, read: (value: T) => U | undefined): Rule<U> {
  return rule(each.first, (tokens, at) => {
    const found = each(tokens, at)
    const value = found && read(found.value)
    return found && value !== undefined ? { value, next: found.next } : undefined
  })
}

export const nothing: Rule<undefined> = rule(NOTHING, (_tokens, at) => ({ value: undefined, next: at }))

/** One or more, with something optional between. */
export function many<T>(each: Rule<T>, between: Rule<unknown> = nothing): Rule<T[]> {
  return rule(each.first, (tokens, at) => {
    const first = each(tokens, at)
    if (!first) return undefined
    const values = [first.value]
    let next = first.next
    for (;;) {
      const found = each(tokens, between(tokens, next)?.next ?? next)
      if (!found) return { value: values, next }
      values.push(found.value)
      next = found.next
    }
  })
}

/** Holds when the rule would read here; reads nothing itself. */
export function before(each: Rule<unknown>): Rule<undefined> {
  return rule(NOTHING, (tokens, at) => (each(tokens, at) ? { value: undefined, next: at } : undefined))
}

/** Holds when the rule would not read here; reads nothing itself. */
export function notBefore(each: Rule<unknown>): Rule<undefined> {
  return rule(NOTHING, (tokens, at) => (each(tokens, at) ? undefined : { value: undefined, next: at }))
}

export const end: Rule<undefined> = rule(NOTHING, (tokens, at) =>
  at === tokens.length ? { value: undefined, next: at } : undefined,
)

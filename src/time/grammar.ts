import type { Token } from './tokens'

export interface Found<T> {
  value: T
  next: number
}

/** Reads something at a place in the tokens, or nothing. Rules never look back, so a text is read in linear time. */
export type Rule<T> = (tokens: readonly Token[], at: number) => Found<T> | undefined

type ValuesOf<R extends readonly Rule<unknown>[]> = { [K in keyof R]: R[K] extends Rule<infer V> ? V : never }

export function token<T>(read: (token: Token) => T | undefined): Rule<T> {
  return (tokens, at) => {
    const here = tokens[at]
    const value = here && read(here)
    return value === undefined ? undefined : { value, next: at + 1 }
  }
}

/** One of these words or signs, given as a space-separated list. */
export function word(list: string): Rule<string> {
  const texts = new Set(list.split(' '))
  return token(({ text }) => (texts.has(text) ? text : undefined))
}

/** One of the words of a table, giving its meaning. */
export function meaning<T>(table: ReadonlyMap<string, T>): Rule<T> {
  return token(({ text }) => table.get(text))
}

export function sequence<R extends readonly Rule<unknown>[]>(...rules: R): Rule<ValuesOf<R>> {
  return (tokens, at) => {
    const values: unknown[] = []
    let next = at
    for (const rule of rules) {
      const found = rule(tokens, next)
      if (!found) return undefined
      values.push(found.value)
      next = found.next
    }
    return { value: values as ValuesOf<R>, next }
  }
}

/** Several words in a row, such as "from now". */
export function phrase(text: string): Rule<string> {
  return map(sequence(...text.split(' ').map((part) => word(part))), () => text)
}

export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (tokens, at) => rule(tokens, at) ?? { value: undefined, next: at }
}

export function either<T>(...rules: Rule<T>[]): Rule<T> {
  return (tokens, at) => {
    for (const rule of rules) {
      const found = rule(tokens, at)
      if (found) return found
    }
    return undefined
  }
}

/** The rule that reads furthest; of two that read as far, the earlier. */
export function longest<T>(...rules: Rule<T>[]): Rule<T> {
  return (tokens, at) => {
    let best: Found<T> | undefined
    for (const rule of rules) {
      const found = rule(tokens, at)
      if (found && found.next > (best?.next ?? at)) best = found
    }
    return best
  }
}

/** Gives what was read a meaning; undefined means that it was not this after all. */
export function map<T, U>(rule: Rule<T>, read: (value: T) => U | undefined): Rule<U> {
  return (tokens, at) => {
    const found = rule(tokens, at)
    const value = found && read(found.value)
    return found && value !== undefined ? { value, next: found.next } : undefined
  }
}

/** One or more, with something optional between. */
export function many<T>(rule: Rule<T>, between: Rule<unknown> = nothing): Rule<T[]> {
  return (tokens, at) => {
    const first = rule(tokens, at)
    if (!first) return undefined
    const values = [first.value]
    let next = first.next
    for (;;) {
      const found = rule(tokens, between(tokens, next)?.next ?? next)
      if (!found) return { value: values, next }
      values.push(found.value)
      next = found.next
    }
  }
}

export const nothing: Rule<undefined> = (_tokens, at) => ({ value: undefined, next: at })

/** Holds when the rule would not read here; reads nothing itself. */
export function notBefore(rule: Rule<unknown>): Rule<undefined> {
  return (tokens, at) => (rule(tokens, at) ? undefined : { value: undefined, next: at })
}

/** Holds when the rule would read here; reads nothing itself. */
export function before(rule: Rule<unknown>): Rule<undefined> {
  return (tokens, at) => (rule(tokens, at) ? { value: undefined, next: at } : undefined)
}

export const end: Rule<undefined> = (tokens, at) => (at === tokens.length ? { value: undefined, next: at } : undefined)

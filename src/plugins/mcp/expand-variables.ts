/** What `${NAME}` may stand for. The environment itself is never looked at. */
export type Variables = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Replaces `${NAME}` and `${NAME:-otherwise}` in every text of a value; throws for a name that stands for nothing. */
export function expandVariables(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return expandText(value, variables)
  if (Array.isArray(value)) return value.map((item) => expandVariables(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandVariables(item, variables)]))
}

function expandText(text: string, variables: Variables): string {
  return text.replace(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
    const value = (Object.hasOwn(variables, name) ? variables[name] : undefined) || otherwise
    if (value === undefined) throw new Error(`the setting ${name} is missing`)
    return value
  })
}

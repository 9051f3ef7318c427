import type { Queryable } from './database'

export interface Budget {
  name: string
  perMinute: number
}

export interface OverBudget {
  name: string
  retryAfterSeconds: number
}

/**
 * Takes one token from each bucket, in one statement, by PostgreSQL's clock: the same for all front doors, and after a
 * restart. A bucket holds half of what a minute may see and fills with the other half, so that no minute sees more.
 * Answers the one that was empty; a caller with several must then not commit, so that nothing was taken from any. An empty
 * one stays where it is, however often it is asked.
 */
export async function takeTokens(db: Queryable, budgets: readonly Budget[]): Promise<OverBudget | undefined> {
  const capacities = budgets.map(({ perMinute }) => Math.max(1, Math.floor(perMinute / 2)))
  const { rows } = await db.query<{ name: string; tokens: number; perSecond: number }>(
    `INSERT INTO push_budgets AS known (name, tokens, per_second, refilled_at)
     SELECT name, capacity - 1, per_second, clock_timestamp()
     FROM unnest($1::text[], $2::float8[], $3::float8[]) AS wanted (name, capacity, per_second) ORDER BY name
     ON CONFLICT (name) DO UPDATE SET
       tokens = greatest(-1, least(excluded.tokens + 1, known.tokens + excluded.per_second
         * greatest(0, extract(epoch FROM excluded.refilled_at - known.refilled_at))) - 1),
       per_second = excluded.per_second, refilled_at = greatest(known.refilled_at, excluded.refilled_at)
     RETURNING name, tokens, per_second`,
    [
      budgets.map(({ name }) => name),
      capacities,
      budgets.map(({ perMinute }, index) => Math.max(1, perMinute - capacities[index]!) / 60),
    ],
  )
  const [worst] = rows
    .filter(({ tokens }) => tokens < 0)
    .map(({ name, tokens, perSecond }) => ({ name, retryAfterSeconds: Math.ceil(-tokens / perSecond) }))
    .sort((a, b) => b.retryAfterSeconds - a.retryAfterSeconds)
  return worst
}

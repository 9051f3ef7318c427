import type { Pool } from 'pg'
import type { TokenUsage, UsageSubject } from '../planner/model'
import { storableJson } from '../engine/storable'
import { createBatches } from '../engine/waiting'
import type { Database } from '../engine/database'
import { takeTokens } from '../engine/budgets'

export interface ModelUsage extends UsageSubject, TokenUsage {
  model: string
  /** Counted from the length of the texts, because the server said nothing. */
  estimated: boolean
}

export interface Allowance {
  allow: 'everyone' | 'listed'
  people: string[]
  /** Tokens that are left today, in all and for this person; null where no budget is set. */
  left: number | null
  leftOfPerson: number | null
  /** When the budgets begin anew. */
  resetsAt: Date
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`
const TOMORROW = `((${TODAY} + 1)::timestamp AT TIME ZONE 'UTC')`

const ofBot = (botUuid: string) => `bot:${botUuid}`
const ofPerson = (botUuid: string, person: string) => `person:${botUuid}:${person}`
const ofAutomation = (id: string) => `automation:${id}`

/** The subjects whose day an entry counts for. */
function subjectsOf({ botUuid, person, automationId }: ModelUsage): string[] {
  return [
    ...(botUuid === undefined ? [] : [ofBot(botUuid)]),
    ...(botUuid === undefined || person === undefined ? [] : [ofPerson(botUuid, person)]),
    ...(automationId === undefined ? [] : [ofAutomation(automationId)]),
  ]
}

async function writeUsage(pool: Pool, entries: readonly ModelUsage[]): Promise<void> {
  const tokensOf = new Map<string, number>()
  for (const entry of entries) {
    const tokens = entry.promptTokens + entry.completionTokens
    for (const subject of subjectsOf(entry)) tokensOf.set(subject, (tokensOf.get(subject) ?? 0) + tokens)
  }
  const rows = entries.map((entry) => ({ ...entry, model: entry.model.slice(0, 200) }))
  await pool.query(
    `WITH entry AS (
       INSERT INTO model_usage (bot_uuid, session_key, turn_id, automation_id, person, purpose, model,
         prompt_tokens, completion_tokens, cached_tokens, estimated)
       SELECT "botUuid", "sessionKey", "turnId", "automationId", person, purpose, model, "promptTokens",
         "completionTokens", "cachedTokens", estimated
       FROM jsonb_to_recordset($1::jsonb) AS entry ("botUuid" text, "sessionKey" text, "turnId" uuid, "automationId" uuid,
         person text, purpose text, model text, "promptTokens" int, "completionTokens" int, "cachedTokens" int,
         estimated boolean)
     )
     INSERT INTO usage_days AS known (subject, day, tokens)
     SELECT subject, ${TODAY}, tokens FROM unnest($2::text[], $3::bigint[]) AS day (subject, tokens) ORDER BY subject
     ON CONFLICT (subject, day) DO UPDATE SET tokens = known.tokens + excluded.tokens`,
    [storableJson(rows), [...tokensOf.keys()], [...tokensOf.values()]],
  )
}

export type UsageStore = ReturnType<typeof createUsageStore>

/** What model calls cost, by whom; and what a bot, a person or an automation may still use today. */
export function createUsageStore({ pool }: Database) {
  /** The ledger's row and the sums of the day, in one statement; calls that end at the same time share it. */
  const record = createBatches<ModelUsage>((entries) => writeUsage(pool, entries))

  return {
    record,

    /** What a plugin's call to the model cost: it is the cost of whoever had the plugin run. */
    async recordOfRun(runId: string, usage: Omit<ModelUsage, keyof UsageSubject>): Promise<void> {
      const { rows } = await pool.query<
        Record<'botUuid' | 'sessionKey' | 'turnId' | 'automationId' | 'person', string>
      >(
        `SELECT r.bot_uuid, r.session_key, r.turn_id, a.automation_id,
           CASE WHEN t.origin = 'user' THEN s.channel || ':' || (t.input ->> 'senderId') END AS person
         FROM runs r LEFT JOIN turns t ON t.id = r.turn_id LEFT JOIN sessions s ON s.session_key = r.session_key
         LEFT JOIN automation_runs a ON a.turn_id = r.turn_id
         WHERE r.id = $1`,
        [runId],
      )
      const subject = Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, value]) => value !== null))
      await record({ ...usage, ...subject, purpose: 'plugin' })
    },

    async allowanceOf(botUuid: string, person: string): Promise<Allowance | null> {
      const { rows } = await pool.query<
        Omit<Allowance, 'left' | 'leftOfPerson'> & { left: string; leftOfPerson: string }
      >(
        `SELECT b.allow, b.people, ${TOMORROW} AS resets_at,
           b.daily_tokens - coalesce(all_of.tokens, 0) AS left,
           b.daily_tokens_per_person - coalesce(person.tokens, 0) AS left_of_person
         FROM bots b
         LEFT JOIN usage_days all_of ON all_of.subject = $2 AND all_of.day = ${TODAY}
         LEFT JOIN usage_days person ON person.subject = $3 AND person.day = ${TODAY}
         WHERE b.uuid = $1`,
        [botUuid, ofBot(botUuid), ofPerson(botUuid, person)],
      )
      const row = rows[0]
      if (!row) return null
      const { left, leftOfPerson, ...rest } = row
      return { ...rest, left: toNumber(left), leftOfPerson: toNumber(leftOfPerson) }
    },

    /** The same for an automation's next turn. */
    async allowanceOfAutomation(id: string): Promise<{ left: number | null; resetsAt: Date } | null> {
      const { rows } = await pool.query<{ left: string | null; resetsAt: Date }>(
        `SELECT ${TOMORROW} AS resets_at, least(a.daily_tokens - coalesce(own.tokens, 0),
           b.daily_tokens - coalesce(all_of.tokens, 0)) AS left
         FROM automations a JOIN bots b ON b.uuid = a.bot_uuid
         LEFT JOIN usage_days own ON own.subject = 'automation:' || a.id AND own.day = ${TODAY}
         LEFT JOIN usage_days all_of ON all_of.subject = 'bot:' || a.bot_uuid AND all_of.day = ${TODAY}
         WHERE a.id = $1`,
        [id],
      )
      return rows[0] ? { left: toNumber(rows[0].left), resetsAt: rows[0].resetsAt } : null
    },

    /** Takes one turn of a person's minute; seconds until the next one when there is none. */
    async takeTurn(botUuid: string, person: string, perMinute: number): Promise<number | null> {
      const over = await takeTokens(pool, [{ name: `turns:${botUuid}:${person}`.slice(0, 800), perMinute }])
      return over?.retryAfterSeconds ?? null
    },

    /** Sums by day, model and purpose, newest day first. */
    async summarise(filter: { bots: 'all' | readonly string[]; botUuid?: string; days: number }) {
      const { rows } = await pool.query<UsageSummary>(
        `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, bot_uuid, model, purpose, count(*)::int AS calls,
           sum(prompt_tokens)::float8 AS prompt_tokens, sum(completion_tokens)::float8 AS completion_tokens,
           sum(cached_tokens)::float8 AS cached_tokens, bool_or(estimated) AS estimated
         FROM model_usage
         WHERE created_at >= (${TODAY} - $3::int + 1)::timestamp AT TIME ZONE 'UTC'
           AND ($1::text[] IS NULL OR bot_uuid = ANY ($1)) AND ($2::text IS NULL OR bot_uuid = $2)
         GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4 LIMIT 1000`,
        [filter.bots === 'all' ? null : filter.bots, filter.botUuid ?? null, filter.days],
      )
      return rows
    },
  }
}

export interface UsageSummary {
  day: string
  botUuid: string | null
  model: string
  purpose: string
  calls: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  estimated: boolean
}

const toNumber = (value: string | number | null) => (value === null ? null : Number(value))

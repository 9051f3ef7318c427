import type { Pool } from 'pg'
import type { HistoryFilter, HistoryRow } from '../../history-contract'

/** The columns that other programs know (docs/history-and-push.md). */
const COLUMNS = `m.id, m.bot_uuid, m.pipeline_uuid, m.launcher_type, m.launcher_id, m.sender_id, m.message_role,
  m.message_content, m.message_chain, m.query_id, m.created_at, m.updated_at`

/**
 * A page of history. The ids of the page are found first, in an index that holds all they are sorted by, and only their
 * rows are read: so a deep offset costs index entries, not messages. A cursor costs the same at any depth.
 */
export async function readHistory(pool: Pool, filter: HistoryFilter): Promise<HistoryRow[]> {
  const bots = botsOf(filter)
  if (bots !== 'all' && bots.length === 0) return []
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const conditions = conditionsOf(filter, use)
  if (filter.beforeId !== undefined) {
    const before = await findPlace(pool, filter.beforeId)
    if (!before) return []
    conditions.push(`(m.created_at, m.id) < (${use(before)}::timestamptz, ${use(filter.beforeId)}::int)`)
  }
  const order = filter.order === 'asc' ? 'ASC' : 'DESC'
  const inOrder = (name: string) => `ORDER BY ${name}.created_at ${order}, ${name}.id ${order}`
  const window = `LIMIT ${use(filter.limit)}::bigint OFFSET ${use(filter.offset)}::bigint`
  const { rows } = await pool.query<HistoryRow>(
    `SELECT ${COLUMNS} FROM (${findIds({ bots, conditions, filter, use, inOrder })} ${inOrder('page')} ${window}) page
     JOIN message_history m ON m.id = page.id ${inOrder('m')}`,
    values,
  )
  return rows
}

type Use = (value: unknown) => string

/** Several bots are asked one by one, each along its own index, and merged; one bot or all is a single walk. */
function findIds(parts: {
  bots: 'all' | readonly string[]
  conditions: string[]
  filter: HistoryFilter
  use: Use
  inOrder(name: string): string
}): string {
  const { bots, conditions, filter, use, inOrder } = parts
  const select = (more: string[]) => {
    const all = [...conditions, ...more]
    return `SELECT m.id, m.created_at FROM message_history m ${all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''}`
  }
  if (bots === 'all') return `SELECT * FROM (${select([])}) page`
  if (bots.length === 1) return `SELECT * FROM (${select([`m.bot_uuid = ${use(bots[0])}`])}) page`
  const most = use(filter.limit + filter.offset)
  return `SELECT page.* FROM unnest(${use(bots)}::text[]) AS bot (uuid), LATERAL (
    ${select(['m.bot_uuid = bot.uuid'])} ${inOrder('m')} LIMIT ${most}::bigint) page`
}

function botsOf({ bots, botUuid }: HistoryFilter): 'all' | readonly string[] {
  if (botUuid === undefined) return bots
  return bots === 'all' || bots.includes(botUuid) ? [botUuid] : []
}

function conditionsOf(filter: HistoryFilter, use: Use): string[] {
  const equal = {
    launcher_type: filter.launcherType,
    launcher_id: filter.launcherId,
    sender_id: filter.senderId,
    pipeline_uuid: filter.pipelineUuid,
  }
  const conditions = Object.entries(equal).flatMap(([column, value]) =>
    value === undefined ? [] : [`m.${column} = ${use(value)}`],
  )
  if (filter.since) conditions.push(`m.created_at >= ${use(filter.since)}::timestamptz`)
  return conditions
}

/** When the message of that id was said, or the last one before it if it is gone by now. */
async function findPlace(pool: Pool, id: number): Promise<Date | undefined> {
  const { rows } = await pool.query<{ createdAt: Date }>(
    'SELECT created_at FROM message_history WHERE id <= $1 ORDER BY id DESC LIMIT 1',
    [id],
  )
  return rows[0]?.createdAt
}

import { validate as isUuid } from 'uuid'
import type { Database } from './database'
import { startOf } from './promise-kind'
import type { Ending, PromiseKind, StartRow } from './promise-kind'

export interface KeptRow {
  id: string
  workflowId: string | null
}

/** What is asked about the rows of a kind; nothing here reads more than the rows it is about. */
export function kindQueries(kind: PromiseKind) {
  const { table, idType, sessionColumn, open, wanted, stale, workflowColumn } = kind
  const workflowId = workflowColumn ? `p.${workflowColumn}` : `'${kind.prefix}' || p.id`
  const kept = `p.id::text AS id, ${workflowId} AS workflow_id`
  const ofWorkflows = workflowColumn ? `p.${workflowColumn} = ANY ($1::text[])` : `p.id = ANY ($1::${idType}[])`
  return {
    starts: `SELECT ${kept}, p.bot_uuid, p.${sessionColumn} AS session_key, ${kind.dueAt} AS due_at,
      ${kind.about} AS about FROM ${table} p WHERE p.id = ANY ($1::${idType}[]) AND ${wanted}`,
    /** In the order of their ids, after the one that was looked at last: what stays hides nothing behind it. */
    stale: `SELECT ${kept} FROM ${table} p WHERE ${wanted} AND ${stale} AND p.id > $1::${idType}
      ORDER BY p.id LIMIT $2`,
    open: `SELECT ${kept} FROM ${table} p WHERE ${ofWorkflows} AND ${open}`,
    over: `SELECT ${kept} FROM ${table} p WHERE ${ofWorkflows} AND NOT (${open})`,
    inDeletedSessions: `SELECT ${kept} FROM sessions s JOIN ${table} p
        ON p.${sessionColumn} = s.session_key AND p.bot_uuid = s.bot_uuid
      WHERE s.deleted_at > now() - interval '1 day' AND ${open} LIMIT $1`,
    wanted: `SELECT '${startOf(kind.kind)}' AS kind, p.id::text AS id FROM ${table} p WHERE ${wanted}`,
  }
}

export type KindStore = ReturnType<typeof createKindStore>

/** The rows of any kind, by what its entry says. */
export function createKindStore({ pool }: Pick<Database, 'pool'>, kinds: readonly PromiseKind[]) {
  const ask = async <Row extends object>(sql: string, values: unknown[]) => (await pool.query<Row>(sql, values)).rows

  const byWorkflows = (kind: PromiseKind, which: 'open' | 'over', workflowIds: string[]): Promise<KeptRow[]> => {
    const ours = workflowIds.filter((each) => each.startsWith(kind.prefix))
    if (kind.workflowColumn) return ask(kindQueries(kind)[which], [ours])
    return ask(kindQueries(kind)[which], [ours.map((each) => each.slice(kind.prefix.length)).filter(isUuid)])
  }

  return {
    all: kinds,
    /** What is to be started of these; a row that wants no workflow any more is not among them. */
    starts: (kind: PromiseKind, ids: string[]) =>
      ask<StartRow>(kindQueries(kind).starts, [kind.idType === 'uuid' ? ids.filter(isUuid) : ids]),
    /** The next `limit` after the id that was looked at last. */
    stale: (kind: PromiseKind, after: string | null, limit: number) =>
      ask<KeptRow>(kindQueries(kind).stale, [after ?? FIRST_ID[kind.idType], limit]),
    /** Of these workflows, the rows that are not over. */
    open: (kind: PromiseKind, workflowIds: string[]) => byWorkflows(kind, 'open', workflowIds),
    /** Of these workflows, the rows that are over. */
    over: (kind: PromiseKind, workflowIds: string[]) => byWorkflows(kind, 'over', workflowIds),
    inDeletedSessions: (kind: PromiseKind, limit: number) => ask<KeptRow>(kindQueries(kind).inDeletedSessions, [limit]),
    giveUp: (kind: PromiseKind, id: string, ending: Ending) => kind.giveUp(pool, id, ending),
  }
}

const FIRST_ID = { uuid: '00000000-0000-0000-0000-000000000000', text: '' } as const

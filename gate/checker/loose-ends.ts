import type { Product } from '../../src/build/product'
import { kindQueries } from '../../src/engine/kind-store'

type Parts = Pick<Product, 'stores' | 'scheduler' | 'database'>

const FAR_AHEAD_MS = 400 * 24 * 3_600_000

/** Workflows that are open although their row is over, and rows that want a workflow which is not there. */
export async function findLooseEnds(
  { stores, scheduler, database }: Parts,
  loose = new Set<string>(),
): Promise<string[]> {
  const { kinds } = stores
  const ahead = new Date(Date.now() + FAR_AHEAD_MS)
  const open = (await scheduler.listOpenPastDue(kinds.all, ahead, 5_000)).map(({ workflowId }) => workflowId)
  const found: string[] = []
  for (const kind of kinds.all.filter((each) => !loose.has(each.kind))) {
    const over = await kinds.over(kind, open)
    found.push(...over.map(({ workflowId }) => `${workflowId} is open, its row is over`))
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT wanted.id FROM (${kindQueries(kind).wanted}) wanted
       WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = wanted.kind AND o.ref_id = wanted.id) LIMIT 200`,
    )
    const wanted = await kinds.starts(
      kind,
      rows.map(({ id }) => id),
    )
    for (const { workflowId } of wanted) {
      const state = workflowId === null ? 'not_found' : await scheduler.stateOf(workflowId)
      if (state !== 'open') found.push(`a row wants ${workflowId ?? `a ${kind.kind}`}, which is ${state}`)
    }
  }
  return found
}

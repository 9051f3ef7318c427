import pino from 'pino'
import { createProduct } from '../../src/build/product'
import { readConfig } from '../../src/config'
import type { Promised } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { sleep } from '../rig/wait'
import { findContradictions } from './contradictions'
import { findLeaks } from './leaks'
import { compareLedger } from './ledger'
import { findLooseEnds } from './loose-ends'

export interface Account {
  lost: number
  twice: number
  lateP50Ms: number | null
  lateP99Ms: number | null
  /** What must not be, in words. */
  misses: string[]
}

export interface CheckOptions {
  /** How a promise may end that was not cancelled by the case. */
  mayEnd?: string[]
  /** How long rows and workflows may take to agree, and what is under way to end. */
  settleMs?: number
}

/** What must hold after every case, whatever was done to it. */
export async function check(
  rig: Rig,
  promised: Promised[],
  { mayEnd = ['sent'], settleMs = 90_000 }: CheckOptions = {},
): Promise<Account> {
  const misses: string[] = []
  const say = (what: string, found: readonly unknown[]) => {
    if (found.length > 0) misses.push(`${what}: ${found.length}, such as ${found.slice(0, 3).map(tell).join('; ')}`)
  }
  say('rows and workflows disagree', await looseEnds(rig, settleMs))
  const { rows } = await rig.pool.query<{ id: string; status: string; late_by_ms: number | null; overdue: boolean }>(
    `SELECT id, status, late_by_ms, status = 'pending' AND send_at_ts < now() - interval '60 seconds' AS overdue
     FROM scheduled_messages`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const lostRows = promised.filter(({ id }) => !mayEnd.includes(byId.get(id)?.status ?? 'gone'))
  say(
    'promised and not kept',
    lostRows.map(({ id, channel }) => `${channel} ${id} is ${byId.get(id)?.status}`),
  )
  say(
    'pending a minute after it was due',
    rows.filter(({ overdue }) => overdue).map(({ id }) => id),
  )
  for (const [rule, found] of Object.entries(await findContradictions(rig.pool))) say(`not true: ${rule}`, found)
  const ledger = await compareLedger(rig.pool, await rig.receivers.entries())
  say('sent by our rows, and no platform has it', ledger.lost)
  say('a platform has it, and no row says so', ledger.unexplained)
  say('arrived again without being flagged', ledger.unflagged)
  say('what a person wrote stands in', findLeaks(rig))
  const own = new Set(promised.map(({ id }) => id))
  const late = rows.flatMap(({ id, late_by_ms: ms }) => (own.has(id) && ms !== null ? [ms] : []))
  return {
    lost: lostRows.length + ledger.lost.length,
    twice: ledger.twice,
    lateP50Ms: percentile(late, 0.5),
    lateP99Ms: percentile(late, 0.99),
    misses,
  }
}

const tell = (found: unknown) => (typeof found === 'string' ? found : JSON.stringify(found))

export function percentile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null
}

/** Asked until they agree: a workflow needs a moment to end after its row. */
async function looseEnds(rig: Rig, settleMs: number): Promise<string[]> {
  const { TEMPORAL_ADDRESS: _through, ...settings } = rig.settings
  const direct = { ...settings, DATABASE_URL: rig.postgres.url, TEMPORAL_ADDRESS: `127.0.0.1:${rig.temporal.port}` }
  const observer = await createProduct(readConfig(direct), pino({ level: 'silent' }))
  const end = Date.now() + settleMs
  try {
    for (;;) {
      const found = await findLooseEnds(observer).catch((error: unknown) => [`nobody could be asked: ${String(error)}`])
      if (found.length === 0 || Date.now() > end) return found
      await sleep(1_000)
    }
  } finally {
    await observer.close()
  }
}

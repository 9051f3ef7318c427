import { check } from '../checker/checker'
import type { Account, CheckOptions } from '../checker/checker'
import type { Promised } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { until } from '../rig/wait'

const pendingOf = async (rig: Rig): Promise<number> => {
  const { rows } = await rig.pool.query<{ count: number }>(
    `SELECT (SELECT count(*)::int FROM scheduled_messages WHERE status = 'pending') +
            (SELECT count(*)::int FROM deliveries WHERE state = 'pending') AS count`,
  )
  return rows[0]!.count
}

/** Until nothing is pending any more, however it ended. */
export const untilDecided = (rig: Rig, limitMs = 180_000): Promise<void> =>
  until('nothing is pending any more', async () => (await pendingOf(rig).catch(() => 1)) === 0, limitMs)

/** Waits until all is decided, and checks it; one that is not decided in time is found by the checker. */
export async function settle(
  rig: Rig,
  promised: Promised[],
  { limitMs, ...options }: CheckOptions & { limitMs?: number } = {},
): Promise<Account> {
  await untilDecided(rig, limitMs).catch(() => undefined)
  return check(rig, promised, options)
}

/** When the last of these was sent, by the database's clock. */
export async function lastSentMs(rig: Rig): Promise<number> {
  const { rows } = await rig.pool.query<{ at: Date | null }>('SELECT max(sent_at_ts) AS at FROM scheduled_messages')
  return rows[0]?.at?.getTime() ?? 0
}

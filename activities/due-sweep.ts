import type { ActivityParts } from './activity-parts'

const SWEEP_LIMIT = 2_000
const LOOK_AROUND_EVERY_MS = 200

/** Sends all that is due in one statement; asked by many at once, it is done once for all. */
export interface DueSweep {
  /** Sends what is due now; whether this message was among it. */
  includes(id: string): Promise<boolean>
  /** Sends what is due, unless somebody has just looked. */
  lookAround(): Promise<void>
}

export function createDueSweep({ messages, metrics, crashPoint }: ActivityParts): DueSweep {
  let sweeping: Promise<Set<string>> | undefined
  let lastBegun = -Infinity

  async function sweepAll(): Promise<Set<string>> {
    const ids = new Set<string>()
    for (;;) {
      lastBegun = performance.now()
      crashPoint('before_claim')
      const swept = await messages.sweepDue(SWEEP_LIMIT)
      crashPoint('after_commit_before_ack')
      for (const { id, status, late_by_ms: lateByMs } of swept) {
        if (status !== 'sent') continue
        ids.add(id)
        metrics.promiseKept('scheduled_message', lateByMs ?? 0)
      }
      if (swept.length < SWEEP_LIMIT) return ids
    }
  }

  function sweep(): Promise<Set<string>> {
    sweeping ??= sweepAll().finally(() => {
      sweeping = undefined
    })
    return sweeping
  }

  return {
    async includes(id) {
      // One that is under way may have begun before this message was due: then it counts only if it has it.
      if (sweeping && (await sweeping).has(id)) return true
      return (await sweep()).has(id)
    },
    async lookAround() {
      if (performance.now() - lastBegun >= LOOK_AROUND_EVERY_MS) await sweep()
    },
  }
}

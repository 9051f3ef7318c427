import type { DeliveryState } from '../../contracts/delivery'
import type { PushAnswer } from '../contract'
import type { Database } from '../../engine/database'
import { findAnswer, keepAnswer, prunePushes } from './idempotency'
import type { Idempotency } from './idempotency'
import { storePush } from './push'
import type { NewPush } from './push'

export type PushStore = ReturnType<typeof createPushStore>

/** Pushes as verbs. */
export function createPushStore({ pool }: Database) {
  return {
    store: (push: NewPush) => storePush(pool, push),
    findAnswer: (use: Idempotency) => findAnswer(pool, use),
    keepAnswer: (use: Idempotency, answer: PushAnswer) => keepAnswer(pool, use, answer),
    prune: (limit: number) => prunePushes(pool, limit),

    /** How the way out of a pushed message stands. */
    async delivery(messageId: number): Promise<{ state: DeliveryState; lastError: string | null } | undefined> {
      const { rows } = await pool.query<{ state: DeliveryState; lastError: string | null }>(
        'SELECT state, last_error FROM deliveries WHERE message_id = $1',
        [messageId],
      )
      return rows[0]
    },
  }
}

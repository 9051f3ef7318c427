import type { Pool } from 'pg'
import type { JsonObject, JsonValue } from '../../contracts/words'
import type { Database } from '../../engine/database'
import { inTransaction } from '../../engine/database'
import { lockSession } from '../../engine/session-writes'
import type { TurnFence } from '../../engine/session-writes'
import { storableJson } from '../../engine/storable'

export type ToolCallStore = ReturnType<typeof createToolCallStore>

interface NewToolCall {
  sessionKey: string
  turn: TurnFence
  callId: string
  round: number
  name: string
  arguments: JsonValue
}

/** A call as the page shows it under the answer of its turn; `result` is null while it runs. */
export interface ToolCallView {
  turnId: string
  callId: string
  name: string
  arguments: JsonValue
  result: JsonObject | null
  startedAt: Date
  endedAt: Date | null
}

/** What the model called and what came back, written under the turn's fence. */
export function createToolCallStore({ pool }: Database) {
  return {
    /** The newest `limit`, in the order they were made. */
    async list(sessionKey: string, page: { limit: number; turnId?: string }): Promise<ToolCallView[]> {
      const { rows } = await pool.query<ToolCallView>(
        `SELECT turn_id, call_id, name, arguments, result, started_at, ended_at FROM tool_calls
         WHERE session_key = $1 AND ($2::uuid IS NULL OR turn_id = $2) ORDER BY seq DESC LIMIT $3`,
        [sessionKey, page.turnId ?? null, page.limit],
      )
      return rows.reverse()
    },

    async started(call: NewToolCall): Promise<'new' | 'repeated'> {
      const { sessionKey, turn } = call
      const { rows } = await pool.query<{ isHeld: boolean; isNew: boolean }>(
        `WITH ${HELD}, stored AS (
           INSERT INTO tool_calls (turn_id, call_id, session_key, round, name, arguments)
           SELECT $3, $4, $1, $5, $6, $7 FROM held ON CONFLICT (turn_id, call_id) DO NOTHING RETURNING 1
         )
         SELECT EXISTS (SELECT 1 FROM held) AS is_held, EXISTS (SELECT 1 FROM stored) AS is_new`,
        [sessionKey, turn.fence, turn.turnId, call.callId, call.round, call.name, storableJson(call.arguments)],
      )
      if (!rows[0]!.isHeld) await sayWhyNotHeld(pool, sessionKey, turn)
      return rows[0]!.isNew ? 'new' : 'repeated'
    },

    async ended(sessionKey: string, turn: TurnFence, callId: string, result: JsonObject): Promise<void> {
      const { rowCount } = await pool.query(
        `WITH ${HELD}
         UPDATE tool_calls SET result = $5, ended_at = now() FROM held WHERE turn_id = $3 AND call_id = $4`,
        [sessionKey, turn.fence, turn.turnId, callId, storableJson(result)],
      )
      if (rowCount === 0) await sayWhyNotHeld(pool, sessionKey, turn)
    },
  }
}

/** The session of the turn that writes, locked; empty once the turn has lost it. */
const HELD = `held AS MATERIALIZED (
  SELECT 1 FROM sessions WHERE session_key = $1 AND turn_fence = $2 AND deleted_at IS NULL FOR UPDATE)`

/** Throws what anybody learns who writes in a session that is gone or that another turn has. */
const sayWhyNotHeld = (pool: Pool, sessionKey: string, turn: TurnFence) =>
  inTransaction(pool, (db) => lockSession(db, sessionKey, turn))

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

    started(call: NewToolCall): Promise<'new' | 'repeated'> {
      return inTransaction(pool, async (db) => {
        await lockSession(db, call.sessionKey, call.turn)
        const { rowCount } = await db.query(
          `INSERT INTO tool_calls (turn_id, call_id, session_key, round, name, arguments)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (turn_id, call_id) DO NOTHING`,
          [call.turn.turnId, call.callId, call.sessionKey, call.round, call.name, storableJson(call.arguments)],
        )
        return rowCount === 1 ? 'new' : 'repeated'
      })
    },

    async ended(sessionKey: string, turn: TurnFence, callId: string, result: JsonObject): Promise<void> {
      await inTransaction(pool, async (db) => {
        await lockSession(db, sessionKey, turn)
        await db.query('UPDATE tool_calls SET result = $3, ended_at = now() WHERE turn_id = $1 AND call_id = $2', [
          turn.turnId,
          callId,
          storableJson(result),
        ])
      })
    },
  }
}

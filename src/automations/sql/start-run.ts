import type { Automation, AutomationRun, PromptRef } from '../contract'
import { automationRunRef } from '../contract'
import type { Session } from '../../conversation/session'
import type { JsonObject } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import { storableJson, storableText } from '../../engine/storable'
import type { OnStart } from '../../conversation/sql/turn-hooks'
import { AUTOMATION, AUTOMATION_RUN, automationRunEvent } from './rows'

/** What the model will be told and what the person will read, made when the turn starts. */
export interface PreparedRun {
  trigger: string
  rendered: string
  variables: JsonObject
  promptRef: PromptRef
}

/** The moment at which a run starts, and how late that is. */
export interface RunStart {
  now: Date
  slot: Date
  lateByMs: number
}

export type PrepareRun = (automation: Automation, session: Session, start: RunStart) => PreparedRun

/** The run's place in the queue has come: it starts with its turn, unless it was called off. */
export function startRun(prepare: PrepareRun): OnStart {
  return async (db, session, turn) => {
    const live = await findLive(db, turn.id)
    if (!live) return null
    const { start, automation } = live
    const { lateByMs } = start
    const prepared = prepare(automation, session, start)
    const run = await markRunning(db, turn.id, { ...prepared, lateByMs })
    return {
      message: {
        role: 'user',
        senderId: 'automation',
        content: prepared.trigger,
        sourceKind: 'automation',
        sourceRef: automationRunRef(run.id),
        metadata: {
          _automation_turn: true,
          ...turn.input.metadata,
          automation_prompt_ref: { ...prepared.promptRef },
          late_by_ms: lateByMs,
        },
      },
      events: [automationRunEvent(run, automation.name)],
    }
  }
}

async function findLive(
  db: Queryable,
  turnId: string,
): Promise<{ automation: Automation; start: RunStart } | undefined> {
  const { rows } = await db.query<Automation & RunStart>(
    `SELECT ${AUTOMATION}, now() AS now, r.scheduled_at AS slot, late_ms(r.scheduled_at) AS late_by_ms
     FROM automations JOIN automation_runs r ON r.automation_id = automations.id
     WHERE r.turn_id = $1 AND r.state = 'queued' AND automations.deleted_at IS NULL AND automations.state = 'active'
     FOR UPDATE`,
    [turnId],
  )
  if (!rows[0]) return undefined
  const { now, slot, lateByMs, ...automation } = rows[0]
  return { automation, start: { now, slot, lateByMs } }
}

async function markRunning(
  db: Queryable,
  turnId: string,
  { promptRef, rendered, variables, lateByMs }: PreparedRun & { lateByMs: number },
): Promise<AutomationRun> {
  const { rows } = await db.query<AutomationRun>(
    `UPDATE automation_runs SET state = 'running', started_at = now(), prompt_ref = $2, rendered_prompt = $3, variables = $4,
       late_by_ms = $5
     WHERE turn_id = $1 RETURNING ${AUTOMATION_RUN}`,
    [turnId, storableJson(promptRef), storableText(rendered), storableJson(variables), lateByMs],
  )
  return rows[0]!
}

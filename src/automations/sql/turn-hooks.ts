import type { AutomationRunState } from '../contract'
import { describeCancelledRun, describeFailedRun } from '../texts'
import { languageOfPerson } from '../../contracts/language'
import { insertMessage, messageEvent } from '../../engine/session-writes'
import type { TurnHooks } from '../../conversation/sql/turn-hooks'
import { endRunOfTurn } from './end-run'
import { findRunOfTurn } from './read'

const OPEN: readonly AutomationRunState[] = ['queued', 'running']

/** The run of an automation ends with its turn. */
export const automationTurnHooks: TurnHooks = {
  onEnd(db, session, { turn, result, message }) {
    const { runState, status, error = null, errorDetail } = result
    const state = runState ?? status
    return endRunOfTurn(db, session, { turnId: turn.id, state, error, errorDetail, messageId: message.id })
  },

  /** A run that was called off before it began leaves no word; every other end does. */
  async onClose(db, session, turn, { cause, error = cause }) {
    const run = await findRunOfTurn(db, turn.id)
    if (!run || !OPEN.includes(run.state)) return []
    const state = cause === 'stopped' ? 'cancelled' : 'failed'
    const ending = { turnId: turn.id, state, error } as const
    if (state === 'cancelled' && run.state === 'queued') {
      return endRunOfTurn(db, session, { ...ending, messageId: null })
    }
    const describe = state === 'failed' ? describeFailedRun : describeCancelledRun
    const closing = await insertMessage(db, session, {
      role: 'assistant',
      senderId: session.botUuid,
      content: describe(run.name, languageOfPerson(session, run)),
      sourceKind: 'closing',
      turnId: turn.id,
      metadata: { closing: cause, ...turn.input.metadata },
    })
    const ended = await endRunOfTurn(db, session, { ...ending, messageId: closing.id })
    return [messageEvent(closing), ...ended]
  },
}

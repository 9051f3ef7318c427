import type { TurnEventData } from '../contracts/event'
import type { TurnInput } from '../contracts/turn'
import type { TurnOrigin, TurnStatus } from '../contracts/words'
import type { NewEvent } from './session-writes'

export interface TurnRow {
  id: string
  session_key: string
  origin: TurnOrigin
  status: TurnStatus
  holder: string
  /** Set once it has begun, and kept when it goes back into the queue. */
  fence: number | null
  input: TurnInput
}

/** What watchers see of a turn; one of an automation says which. */
export function turnEvent(
  turn: Pick<TurnRow, 'id' | 'origin' | 'input'>,
  state: TurnEventData['state'],
  status: TurnStatus,
): NewEvent {
  const about = turn.origin === 'automation' ? turn.input.metadata : {}
  const data: TurnEventData = { turn_id: turn.id, state, origin: turn.origin, status, ...about }
  return { name: 'turn', data }
}

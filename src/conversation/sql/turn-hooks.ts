import type { HistoryMessage, NewMessage } from '../message'
import type { Session } from '../session'
import type { ClosingCause } from '../turn'
import type { TurnOrigin } from '../../contracts/words'
import type { Queryable } from '../../engine/database'
import type { TurnResult } from './end-turn'
import type { NewEvent } from '../../engine/session-writes'
import type { TurnRow } from './turn-rows'

/** What is said first in a turn, and what else is told of its start. */
export interface TurnOpening {
  message: NewMessage
  events?: NewEvent[]
}

/** Writes what starts with a turn, in its transaction. Null when the turn was called off while it waited. */
export type OnStart = (db: Queryable, session: Session, turn: TurnRow) => Promise<TurnOpening | null>

/** Why a turn ends without an answer of its own; `error` says more than the cause, for the record. */
export interface TurnClosing {
  cause: ClosingCause
  error?: string
}

/** What a kind of turn writes beside the turn, in its transaction, with the session locked. */
export interface TurnHooks {
  onEnd(
    db: Queryable,
    session: Session,
    ended: { turn: TurnRow; result: TurnResult; message: HistoryMessage },
  ): Promise<NewEvent[]>
  /** Says so to the person. `turn` is as it was before it was closed. */
  onClose(db: Queryable, session: Session, turn: TurnRow, closing: TurnClosing): Promise<NewEvent[]>
}

/** The hooks of each kind of turn. */
export type TurnHooksOf = Record<TurnOrigin, TurnHooks>

import { v7 as uuidv7 } from 'uuid'
import type { Session } from './session'
import { TURN_RENEW_MS } from './turn'
import type { TurnInput } from './turn'
import { AppError, TurnLostError } from '../errors'
import type { LiveBus } from '../engine/live-bus'
import { createWakeSignal } from '../engine/waiting'
import type { Claim } from './sql/start-turn'
import type { OnStart } from './sql/turn-hooks'
import type { HeldPlace, TurnStore } from './sql/turn-store'

const LOOK_AGAIN_MS = 1_000
const WAIT_LIMIT_MS = 10 * 60_000

/** A turn that has its session; `signal` aborts as soon as the session is lost to someone else. */
export interface HeldTurn {
  id: string
  fence: number
  session: Session
  signal: AbortSignal
  /** Stops renewing the lease; the store ends the turn. */
  release(): void
}

export interface TurnRequest {
  input: TurnInput
  /** Given when the same turn may have been begun before, by a holder that died. */
  turnId?: string
  onQueued?: (turnId: string) => void
}

/** A turn that is in the queue already. */
export interface WaitingTurn {
  id: string
  sessionKey: string
  /** What the turn starts with when its place has come. */
  onStart: OnStart
  waitLimitMs: number
  signal: AbortSignal
  onQueued(): void
}

/** Both ways fail with `turn_lost` when the turn is over or another holder has it, and with `turn_wait_too_long`. */
export interface TurnGate {
  /** Waits until all that came before a person's message in its session is done, then holds the session. */
  enter(session: Session, request: TurnRequest): Promise<HeldTurn>
  /** The same for a turn that waits already, or that a dead holder had begun. */
  resume(turn: WaitingTurn): Promise<HeldTurn>
}

interface GateParts {
  turns: TurnStore
  live: LiveBus
  holder: string
  waitLimitMs?: number
}

export function createTurnGate({ turns, live, holder: process, waitLimitMs = WAIT_LIMIT_MS }: GateParts): TurnGate {
  /** Two entries are two holders, also in one process: of one that was given up and its successor only the latter counts. */
  const placeOf = (id: string, sessionKey: string): HeldPlace => ({
    id,
    sessionKey,
    holder: `${process}:${uuidv7()}`.slice(-100),
  })
  return {
    async enter({ sessionKey }, { turnId, input, onQueued }) {
      const place = placeOf(turnId ?? uuidv7(), sessionKey)
      const known = turnId === undefined ? ({ state: 'absent' } as const) : await turns.takeOver(place)
      const claim = known.state === 'absent' ? await turns.enqueue({ ...place, origin: 'user', input }) : known
      if (claim.state !== 'gone') onQueued?.(place.id)
      return hold({ turns, live }, { place, claim, waitLimitMs })
    },

    async resume({ id, sessionKey, onQueued, ...waiting }) {
      const place = placeOf(id, sessionKey)
      const claim = await turns.takeOver(place)
      if (claim.state === 'absent') throw new TurnLostError(id)
      onQueued()
      return hold({ turns, live }, { place, claim, ...waiting })
    },
  }
}

/** Renews the lease until stopped; a renewal that finds the turn closed or taken aborts the work on it. */
function keepLease(turns: TurnStore, { id, holder }: HeldPlace) {
  const lost = new AbortController()
  const timer = setInterval(() => {
    turns.renew(id, holder).then(
      (kept) => kept || lost.abort(new TurnLostError(id)),
      () => undefined, // PostgreSQL is away: the lease runs on until it is back or someone else closes the turn.
    )
  }, TURN_RENEW_MS)
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}

type Parts = Pick<GateParts, 'turns' | 'live'>

interface Entry {
  place: HeldPlace
  claim: Claim
  waitLimitMs: number
  onStart?: OnStart
  signal?: AbortSignal
}

async function hold(parts: Parts, entry: Entry): Promise<HeldTurn> {
  const { id } = entry.place
  const lease = keepLease(parts.turns, entry.place)
  try {
    const claim = entry.claim.state === 'waiting' ? await waitForPlace(parts, entry) : entry.claim
    if (claim.state === 'gone') throw new TurnLostError(id)
    return { id, fence: claim.fence, session: claim.session, signal: lease.signal, release: lease.stop }
  } catch (error) {
    lease.stop()
    throw error
  }
}

async function waitForPlace({ turns, live }: Parts, entry: Entry): Promise<Exclude<Claim, { state: 'waiting' }>> {
  const { place, onStart, signal } = entry
  const { id, sessionKey } = place
  const queueMoved = createWakeSignal()
  const unsubscribe = live.subscribe(sessionKey, { onWake: queueMoved.wake })
  const deadline = Date.now() + entry.waitLimitMs
  try {
    while (Date.now() < deadline) {
      signal?.throwIfAborted()
      if (await turns.isNext(sessionKey, id)) {
        const claim = await turns.claim(place, onStart)
        if (claim.state !== 'waiting') return claim
      }
      await queueMoved.wait(LOOK_AGAIN_MS, signal)
    }
  } finally {
    unsubscribe()
  }
  await turns.close(sessionKey, id, 'waited_too_long')
  throw new AppError('turn_wait_too_long', 'the messages before this one took too long', {
    status: 503,
    hint: 'Send the message again.',
  })
}

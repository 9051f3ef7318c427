import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../contracts/session'
import { TURN_RENEW_MS } from '../contracts/turn'
import type { TurnInput } from '../contracts/turn'
import type { Language, TurnOrigin } from '../contracts/words'
import { AppError, TurnLostError } from '../errors'
import type { LiveBus } from '../live/live-bus'
import type { Claim } from '../store/start-turn'
import type { TurnStore } from '../store/turn-store'

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
  origin: TurnOrigin
  input: TurnInput
  language: Language
  /** Given when the same turn may have been begun before, by a holder that died. */
  turnId?: string
  onQueued?: (turnId: string) => void
}

/** A turn that is in the queue already, taken by this holder alone. */
export interface QueuedTurn {
  id: string
  holder: string
  /** Starts the turn if its place has come. */
  claim(): Promise<Claim>
  waitLimitMs: number
  signal?: AbortSignal
}

export interface TurnGate {
  /** Waits until all that came before in this session is done, then holds the session. */
  enter(session: Session, request: TurnRequest): Promise<HeldTurn>
  /** The same for a turn that waits already; `gone` when it was called off or taken by another holder. */
  resume(session: Session, turn: QueuedTurn): Promise<HeldTurn | 'gone' | 'waited_too_long'>
  /** Keeps holding a turn that runs already. */
  hold(turn: { id: string; holder: string; fence: number; session: Session }): HeldTurn
}

interface GateParts {
  turns: TurnStore
  live: LiveBus
  holder: string
  waitLimitMs?: number
}

export function createTurnGate({ turns, live, holder, waitLimitMs = WAIT_LIMIT_MS }: GateParts): TurnGate {
  return {
    async enter(session, { turnId, origin, input, language, onQueued }) {
      const id = turnId ?? uuidv7()
      const key = session.sessionKey
      const place = { id, sessionKey: key, holder }
      const before = turnId === undefined ? 'absent' : await turns.takeOver(place)
      if (before === 'over') throw new TurnLostError(id)
      if (before === 'absent') await turns.enqueue({ ...place, origin, input, language })
      onQueued?.(id)
      const message = {
        role: 'user' as const,
        senderId: input.senderId,
        content: input.message,
        chain: input.chain,
        sourceKind: 'chat' as const,
        metadata: input.metadata,
      }
      const claim = () => turns.claim(key, id, message)
      const held = await wait({ turns, live }, session, { id, holder, claim, waitLimitMs })
      if (held === 'gone') throw new TurnLostError(id)
      if (held !== 'waited_too_long') return held
      await turns.close(key, id, 'waited_too_long')
      throw new AppError('turn_wait_too_long', 'the messages before this one took too long', {
        status: 503,
        hint: 'Send the message again.',
      })
    },

    resume: (session, turn) => wait({ turns, live }, session, turn),

    hold({ id, holder: owner, fence, session }) {
      const lease = keepLease(turns, id, owner)
      return { id, fence, session, signal: lease.signal, release: lease.stop }
    },
  }
}

/** Renews the lease until stopped; a renewal that finds the turn closed or taken aborts the work on it. */
function keepLease(turns: TurnStore, turnId: string, holder: string) {
  const lost = new AbortController()
  const timer = setInterval(() => {
    turns.renew(turnId, holder).then(
      (kept) => kept || lost.abort(new TurnLostError(turnId)),
      () => undefined, // PostgreSQL is away: the lease runs on until it is back or someone else closes the turn.
    )
  }, TURN_RENEW_MS)
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}

type Parts = Pick<GateParts, 'turns' | 'live'>

async function wait(parts: Parts, session: Session, turn: QueuedTurn): Promise<HeldTurn | 'gone' | 'waited_too_long'> {
  const lease = keepLease(parts.turns, turn.id, turn.holder)
  try {
    const claim = await waitForPlace(parts, session.sessionKey, turn)
    if (typeof claim !== 'string')
      return { id: turn.id, fence: claim.fence, session: claim.session, signal: lease.signal, release: lease.stop }
    lease.stop()
    return claim
  } catch (error) {
    lease.stop()
    throw error
  }
}

async function waitForPlace({ turns, live }: Parts, sessionKey: string, turn: QueuedTurn) {
  const bell = createBell()
  const unsubscribe = live.subscribe(sessionKey, { onWake: bell.ring })
  turn.signal?.addEventListener('abort', bell.ring)
  const deadline = Date.now() + turn.waitLimitMs
  try {
    while (Date.now() < deadline) {
      turn.signal?.throwIfAborted()
      if (await turns.isNext(sessionKey, turn.id)) {
        const claim = await turn.claim()
        if (claim.state === 'running') return claim
        if (claim.state === 'gone') return 'gone'
      }
      await bell.wait(LOOK_AGAIN_MS)
    }
    return 'waited_too_long'
  } finally {
    turn.signal?.removeEventListener('abort', bell.ring)
    unsubscribe()
  }
}

/** Remembers a ring that comes while nobody waits, so that none is missed between a look and the wait. */
function createBell() {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(limitMs: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
      wake = undefined
    },
  }
}

import { v7 as uuidv7 } from 'uuid'
import type { Session } from '../contracts/session'
import { TURN_RENEW_MS } from '../contracts/turn'
import type { TurnInput } from '../contracts/turn'
import type { Language, TurnOrigin } from '../contracts/words'
import { AppError, TurnLostError } from '../errors'
import type { LiveBus } from '../live/live-bus'
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

export interface TurnGate {
  /** Waits until all that came before in this session is done, then holds the session. */
  enter(session: Session, request: TurnRequest): Promise<HeldTurn>
}

interface GateParts {
  turns: TurnStore
  live: LiveBus
  holder: string
  waitLimitMs?: number
}

export function createTurnGate({ turns, live, holder, waitLimitMs = WAIT_LIMIT_MS }: GateParts): TurnGate {
  return {
    async enter(session, request) {
      const id = request.turnId ?? uuidv7()
      const { origin, input, language } = request
      const place = { id, sessionKey: session.sessionKey, holder }
      const before = request.turnId === undefined ? 'absent' : await turns.takeOver(place)
      if (before === 'over') throw new TurnLostError(id)
      if (before === 'absent') await turns.enqueue({ ...place, origin, input, language })
      request.onQueued?.(id)
      const lease = keepLease(turns, id)
      try {
        const claim = await waitForPlace({ turns, live, waitLimitMs }, session, id, request)
        return { id, fence: claim.fence, session: claim.session, signal: lease.signal, release: lease.stop }
      } catch (error) {
        lease.stop()
        throw error
      }
    },
  }
}

/** Renews the lease until stopped; a renewal that finds the turn closed aborts the work on it. */
function keepLease(turns: TurnStore, turnId: string) {
  const lost = new AbortController()
  const timer = setInterval(() => {
    turns.renew(turnId).then(
      (kept) => kept || lost.abort(new TurnLostError(turnId)),
      () => undefined, // PostgreSQL is away: the lease runs on until it is back or someone else closes the turn.
    )
  }, TURN_RENEW_MS)
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}

async function waitForPlace(
  { turns, live, waitLimitMs }: Pick<GateParts, 'turns' | 'live'> & { waitLimitMs: number },
  session: Session,
  turnId: string,
  { origin, input }: TurnRequest,
) {
  const key = session.sessionKey
  const message = {
    role: 'user' as const,
    senderId: input.senderId,
    content: input.message,
    sourceKind: origin === 'user' ? ('chat' as const) : ('automation' as const),
    metadata: input.metadata,
  }
  const bell = createBell()
  const unsubscribe = live.subscribe(key, { onWake: bell.ring })
  const deadline = Date.now() + waitLimitMs
  try {
    while (Date.now() < deadline) {
      if (await turns.isNext(key, turnId)) {
        const claim = await turns.claim(key, turnId, message)
        if (claim.state === 'running') return claim
        if (claim.state === 'gone') throw new TurnLostError(turnId)
      }
      await bell.wait(LOOK_AGAIN_MS)
    }
  } finally {
    unsubscribe()
  }
  await turns.close(key, turnId, 'waited_too_long')
  throw new AppError('turn_wait_too_long', 'the messages before this one took too long', {
    status: 503,
    hint: 'Send the message again.',
  })
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

import type { Entry } from './channel'

/** One call in `gapMs` on the average, and `burst` of them at once after a pause. */
export interface Pace {
  key: string
  gapMs: number
  burst: number
}

/** Bounds what one bot has under way at once and how fast it speaks, in this process. It keeps nothing for who must wait. */
export interface Limiter {
  enter(lane: string, paces?: readonly Pace[]): Entry
  /** Counts a further call of who has a place already: the next part of a long message. Others wait the longer. */
  count(paces: readonly Pace[]): void
}

interface Line {
  /** When the next call would be due if all came evenly. */
  dueMs: number
  /** What was told to the last of those sent away, so that each comes back at a time of its own. */
  toldMs: number
}

interface Lane {
  running: number
  /** How long a call takes here, of late. */
  callMs: number
  toldMs: number
}

const MAX_LINES = 10_000
const LANE_WAIT_MS = { least: 200, most: 60_000 }

export function createLimiter({
  width,
  now = () => performance.now(),
}: {
  width: number
  now?: () => number
}): Limiter {
  const lines = new Map<string, Line>()
  const lanes = new Map<string, Lane>()
  const lineOf = (key: string): Line => lines.get(key) ?? { dueMs: 0, toldMs: 0 }
  const freeAt = ({ key, gapMs, burst }: Pace) => lineOf(key).dueMs - gapMs * (burst - 1)

  function count(paces: readonly Pace[]): void {
    if (lines.size >= MAX_LINES) for (const [key, { dueMs }] of lines) if (dueMs < now()) lines.delete(key)
    for (const { key, gapMs } of paces) {
      const line = lineOf(key)
      lines.set(key, { ...line, dueMs: Math.max(line.dueMs, now()) + gapMs })
    }
  }

  /** A time to come back, not a place kept: whoever stays away keeps nobody out. */
  function waitForPace(pace: Pace): number {
    const line = lineOf(pace.key)
    const toldMs = Math.max(freeAt(pace), line.toldMs + pace.gapMs)
    lines.set(pace.key, { ...line, toldMs })
    return toldMs - now()
  }

  function waitForLane(lane: Lane): number {
    const earliestMs = Math.max(now() + LANE_WAIT_MS.least, lane.toldMs + lane.callMs / width)
    lane.toldMs = Math.min(earliestMs, now() + LANE_WAIT_MS.most)
    return lane.toldMs - now()
  }

  function leave(name: string, lane: Lane, enteredMs: number): void {
    lane.running -= 1
    lane.callMs = (lane.callMs + now() - enteredMs) / 2
    if (lane.running === 0) lanes.delete(name)
  }

  return {
    count,
    enter(name, paces = []) {
      const [slowest] = [...paces].sort((one, other) => freeAt(other) - freeAt(one))
      if (slowest && freeAt(slowest) > now()) return { waitMs: waitForPace(slowest) }
      const lane = lanes.get(name) ?? { running: 0, callMs: 1_000, toldMs: 0 }
      if (lane.running >= width) return { waitMs: waitForLane(lane) }
      lanes.set(name, lane)
      lane.running += 1
      count(paces)
      const enteredMs = now()
      return { release: once(() => leave(name, lane, enteredMs)) }
    },
  }
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}

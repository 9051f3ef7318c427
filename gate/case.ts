import type { Account } from './checker/checker'
import type { Rig, RigOptions } from './rig/rig'

/** How large a case is: as it is written, or as far as two minutes reach. */
export interface Size {
  full: number
  small: number
}

export interface CaseContext {
  n: number
  isSmall: boolean
  /** An installation of the case's own; closed when the case is over. */
  rig(options?: RigOptions): Promise<Rig>
  /** For whoever watches. */
  say(line: string): void
}

export type Outcome = Pick<Account, 'lost' | 'twice' | 'lateP99Ms' | 'misses'> & {
  /** What else was counted, for the record. */
  figures?: Record<string, number | string>
}

interface CaseBase {
  /** `A1` … `J15`, as in docs/reliability.md. */
  id: string
  /** What is done, and what must hold. */
  title: string
  n: Size
  /** What the case is asked for and does not do: it holds, but for less. */
  owes?: string
  /** Whether it is part of `--small`. */
  inSmall?: boolean
}

/** A case that the gate plays itself, on a rig. */
export interface RigCase extends CaseBase {
  kind: 'rig'
  /** A case that hangs is a miss. */
  limitMs: number
  run(context: CaseContext): Promise<Outcome>
}

/** A case that a test plays; at its full number the test is told by `PUNCTUAL_GATE_SIZE`. */
export interface TestCase extends CaseBase {
  kind: 'test'
  /** Files below `test`, each with a part of the titles of what proves it. */
  proofs: readonly (readonly [file: string, title: RegExp])[]
}

export type GateCase = RigCase | TestCase

export const nothingWrong: Outcome = { lost: 0, twice: 0, lateP99Ms: null, misses: [] }

/** A sum of what several checks found, in one outcome. */
export function together(outcomes: readonly Outcome[], more: Partial<Outcome> = {}): Outcome {
  const late = outcomes.flatMap(({ lateP99Ms }) => lateP99Ms ?? [])
  return {
    lost: outcomes.reduce((sum, each) => sum + each.lost, 0),
    twice: outcomes.reduce((sum, each) => sum + each.twice, 0),
    lateP99Ms: late.length > 0 ? Math.max(...late) : null,
    misses: outcomes.flatMap(({ misses }) => misses),
    ...more,
  }
}

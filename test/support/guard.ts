import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common'
import type { Activities } from '../../src/contracts/activities'
import type { Product as Parts } from '../../src/build/product'
import { errorCode } from '../../src/errors'
import { ENGINE_AWAY } from '../../src/engine/temporal/temporal-scheduler'
import { findLooseEnds } from '../../gate/checker/loose-ends'
import { eventually } from './eventually'

const SETTLED_WITHIN_MS = 15_000

/**
 * What every test with a worker must leave behind: no activity failed that the test did not provoke, no workflow is open
 * whose row is over, and no row wants a workflow that is not there.
 */
export interface Guard {
  /** The test provokes failures of these activities. */
  expectActivityFailures(...names: (keyof Activities)[]): void
  /** The test leaves rows of these kinds whose workflow it never started, or has taken away. */
  expectLooseRows(...kinds: string[]): void
  /** What fails because its worker is being stopped counts for nothing. */
  watch(activities: Activities, isStopping?: () => boolean): Activities
  /** Throws which activities failed unasked. */
  checkActivities(): void
  /** Throws that, and where rows and workflows tell different stories. A worker must run that can end what is left. */
  check(parts: Parts, withinMs?: number): Promise<void>
}

export function createGuard(): Guard {
  const failures: { activity: string; code: string }[] = []
  const expected = new Set<string>()
  const loose = new Set<string>()

  function watch(activities: Activities, isStopping = () => false): Activities {
    const entries = Object.entries(activities).map(([name, activity]: [string, (...args: never[]) => unknown]) => [
      name,
      async (...args: never[]) => {
        try {
          const result = await activity(...args)
          if (name === 'reconcile' && (result as { failures: number }).failures > 0) {
            failures.push({ activity: name, code: 'a step or a row failed' })
          }
          return result
        } catch (error) {
          if (!isPlanned(error) && !isStopping()) failures.push({ activity: name, code: codeOf(error) })
          throw error
        }
      },
    ])
    return Object.fromEntries(entries) as Activities
  }

  function checkActivities(): void {
    const unexpected = failures.filter(({ activity }) => !expected.has(activity))
    if (unexpected.length > 0) throw new Error(`activities failed: ${JSON.stringify(unexpected.slice(0, 10))}`)
  }

  return {
    checkActivities,
    expectActivityFailures: (...names) => names.forEach((name) => expected.add(name)),
    expectLooseRows: (...kinds) => kinds.forEach((kind) => loose.add(kind)),
    watch,
    async check(parts, withinMs = SETTLED_WITHIN_MS) {
      checkActivities()
      let seen: string[] = []
      const isClean = async () => (seen = await findLooseEnds(parts, loose)).length === 0
      await eventually(isClean, withinMs, 250).catch((error: unknown) => {
        // A test that has taken Temporal away leaves nobody to ask.
        if (errorCode(error) === ENGINE_AWAY) return
        throw new Error(`rows and workflows tell different stories: ${seen.slice(0, 10).join('; ')}`)
      })
    },
  }
}

/** Cancelled on purpose, or ended in order to be repeated. */
const isPlanned = (error: unknown) =>
  error instanceof CancelledFailure ||
  (error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN)

const codeOf = (error: unknown) =>
  error instanceof ApplicationFailure ? (error.type ?? error.message) : errorCode(error)

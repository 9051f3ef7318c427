import type { CaseContext, GateCase, Outcome, RigCase, TestCase } from './case'
import { openRig } from './rig/rig'
import type { Rig } from './rig/rig'
import { runTests } from './run-tests'

export interface Result {
  id: string
  title: string
  n: number
  outcome: Outcome
  tookMs: number
}

export interface RunOptions {
  isSmall: boolean
  /** Cases that run side by side: most of them wait. */
  lanes: number
  say(line: string): void
  onResult(result: Result): void
}

const sizeOf = ({ n }: GateCase, isSmall: boolean) => (isSmall ? n.small : n.full)

/** All cases: those of the rig some at a time, those of the tests in one run of jest. */
export async function runCases(cases: readonly GateCase[], options: RunOptions): Promise<Result[]> {
  const results: Result[] = []
  const keep = (result: Result) => {
    results.push(result)
    options.onResult(result)
  }
  const waiting = cases.filter((each): each is RigCase => each.kind === 'rig')
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) keep(await runCase(next, options))
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
  const tested = cases.filter((each): each is TestCase => each.kind === 'test')
  if (tested.length > 0) {
    const found = await runTests(tested, options.isSmall)
    for (const { id, title, n } of tested) {
      const { outcome, tookMs } = found.get(id)!
      keep({ id, title, n: options.isSmall ? n.small : n.full, outcome, tookMs })
    }
  }
  return results
}

async function runCase(gateCase: RigCase, { isSmall, say }: RunOptions): Promise<Result> {
  const { id, title, limitMs } = gateCase
  const n = sizeOf(gateCase, isSmall)
  const begun = Date.now()
  const rigs: Rig[] = []
  const context: CaseContext = {
    n,
    isSmall,
    say: (line) => say(`${id}: ${line}`),
    async rig(options) {
      const rig = await openRig(options)
      rigs.push(rig)
      return rig
    },
  }
  say(`${id}: ${title}`)
  const outcome = await within(limitMs, gateCase.run(context)).catch(failed)
  for (const rig of rigs) await rig.close()
  return { id, title, n, outcome, tookMs: Date.now() - begun }
}

const failed = (error: unknown): Outcome => ({
  lost: 0,
  twice: 0,
  lateP99Ms: null,
  misses: [`it could not be played: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
})

function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${limitMs / 60_000} minutes`)), limitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

import fs from 'node:fs'
import path from 'node:path'
import type { CaseContext, GateCase, Outcome, RigCase, TestCase } from './case'
import { openRig } from './rig/rig'
import type { Rig } from './rig/rig'
import { runTests } from './run-tests'

export interface Result {
  id: string
  title: string
  n: number
  owes?: string
  outcome: Outcome
  tookMs: number
}

export interface RunOptions {
  isSmall: boolean
  /** Cases that run side by side: most of them wait. */
  lanes: number
  /** Where logs and ledger of a case that missed are kept. */
  evidence: string
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
    for (const { id, title, n, owes } of tested) {
      const { outcome, tookMs } = found.get(id)!
      keep({ id, title, owes, n: options.isSmall ? n.small : n.full, outcome, tookMs })
    }
  }
  return results
}

const openRigs = new Set<Rig>()
/** For whoever ends the gate half-way: nothing stays behind. */
export const closeRigs = async (): Promise<void> => void (await Promise.all([...openRigs].map((rig) => rig.close())))

async function runCase(gateCase: RigCase, { isSmall, say, evidence }: RunOptions): Promise<Result> {
  const { id, title, limitMs, owes } = gateCase
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
      openRigs.add(rig)
      return rig
    },
  }
  say(`${id}: ${title}`)
  const outcome = await within(limitMs, gateCase.run(context)).catch(failed)
  for (const rig of rigs) {
    if (outcome.misses.length > 0) keepEvidence(rig, path.join(evidence, id))
    await rig.close()
    openRigs.delete(rig)
  }
  return { id, title, n, owes, outcome, tookMs: Date.now() - begun }
}

/** What a person wants to read after a miss: the logs, and what the platforms wrote down. */
function keepEvidence({ dir }: Rig, folder: string): void {
  fs.mkdirSync(folder, { recursive: true })
  fs.cpSync(path.join(dir, 'logs'), folder, { recursive: true })
  const ledger = path.join(dir, 'ledger.jsonl')
  if (fs.existsSync(ledger)) fs.copyFileSync(ledger, path.join(folder, 'ledger.jsonl'))
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

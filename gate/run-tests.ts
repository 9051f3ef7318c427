import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Outcome, TestCase } from './case'

interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string; duration: number | null }[] }[]
}

const root = path.resolve(__dirname, '../..')

/** One run of jest over the whole files of all cases; a case passes when its tests ran and all of them passed. */
export async function runTests(
  cases: readonly TestCase[],
  isSmall: boolean,
): Promise<Map<string, { outcome: Outcome; tookMs: number }>> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-gate-tests-'))
  const file = path.join(dir, 'report.json')
  const files = [...new Set(cases.flatMap(({ proofs }) => proofs.map(([name]) => `test/${name}.test.ts`)))]
  const args = ['scripts/test.mjs', '--json', `--outputFile=${file}`, '--maxWorkers=2', ...files]
  await new Promise<void>((resolve) => {
    const env = { ...process.env, PUNCTUAL_GATE_SIZE: isSmall ? 'small' : 'full' }
    spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 2, 2] }).once('exit', () => resolve())
  })
  const report = JSON.parse(fs.readFileSync(file, 'utf8')) as Report
  fs.rmSync(dir, { recursive: true, force: true })
  return new Map(cases.map((each) => [each.id, judge(each, report)]))
}

function judge({ proofs }: TestCase, { testResults }: Report): { outcome: Outcome; tookMs: number } {
  const misses: string[] = []
  let tookMs = 0
  for (const [name, title] of proofs) {
    const file = testResults.find((each) => each.name.endsWith(`/test/${name}.test.ts`))
    const tests = file?.assertionResults.filter(({ fullName }) => title.test(fullName)) ?? []
    if (tests.length === 0) misses.push(`${name} has no test like ${title.source}`)
    for (const { fullName, status, duration } of tests) {
      tookMs += duration ?? 0
      if (status !== 'passed') misses.push(`${name}: ${fullName} (${status})`)
    }
  }
  return { outcome: { lost: 0, twice: 0, lateP99Ms: null, misses }, tookMs }
}

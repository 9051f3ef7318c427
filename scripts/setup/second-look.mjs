#!/usr/bin/env node
// node scripts/setup/second-look.mjs RESULT.json COMMAND…: test files that failed are run once more by COMMAND, which runs them
// alone, and RESULT.json tells what came of it. What passes then is named: a test that cannot bear a busy machine is a defect too.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** More than this at once is not the machine's fault. */
const MOST = 12

const [report, command, ...args] = process.argv.slice(2)
const first = readResult(report)
const failed = first?.testResults.filter(({ status }) => status === 'failed') ?? []

if (failed.length > MOST) console.log(`== ${failed.length} test files failed: too many for a second look`)
else if (failed.length > 0) lookAgain()

function lookAgain() {
  console.log(`== a second look at ${failed.length} test files that failed, alone`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'second-look-'))
  try {
    const output = path.join(folder, 'result.json')
    const files = failed.map(({ name }) => name)
    spawnSync(command, [...args, '--json', `--outputFile=${output}`, '--runTestsByPath', ...files], {
      stdio: 'inherit',
    })
    const second = readResult(output)
    if (second) writeFileSync(report, JSON.stringify(merge(second)))
    else console.log('== the second look came to no result')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What passed alone counts as passed; what failed again, or did not run, stays as it was. */
function merge(second) {
  const passed = new Map(
    second.testResults.filter(({ status }) => status === 'passed').map((file) => [file.name, file]),
  )
  console.log(`== ${passed.size} test files failed under load, passed alone`)
  for (const file of failed.filter(({ name }) => passed.has(name))) {
    console.log(`       ${path.relative(process.cwd(), file.name)}`)
    for (const title of failedTitles(file)) console.log(`         ${title}`)
  }
  const testResults = first.testResults.map((file) => passed.get(file.name) ?? file)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const stillFailed = testResults.filter(({ status }) => status === 'failed')
  return {
    ...first,
    testResults,
    numPassedTests: tests.filter(({ status }) => status === 'passed').length,
    numFailedTests: tests.filter(({ status }) => status === 'failed').length,
    numRuntimeErrorTestSuites: stillFailed.filter((file) => failedTitles(file).length === 0).length,
    success: stillFailed.length === 0 && !first.wasInterrupted,
  }
}

function failedTitles({ assertionResults }) {
  return assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
}

function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // A run that was cut off leaves nothing, or a part.
    return undefined
  }
}

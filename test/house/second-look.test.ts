import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

interface Result {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numRuntimeErrorTestSuites: number
}

const root = path.resolve(__dirname, '../..')
const runner = [process.execPath, path.join(root, 'node_modules/jest/bin/jest.js'), '--ci', '--runInBand']
let folder: string
let report: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'second-look-test-')))
  report = path.join(folder, 'report.json')
  writeFileSync(path.join(folder, 'jest.config.cjs'), `module.exports = { testMatch: ['**/*.test.cjs'] }`)
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(path.join(folder, `${name}.test.cjs`), text)
const good = (name: string) => write(name, `test('holds', () => undefined)`)
const bad = (name: string) => write(name, `test('is wrong', () => { throw new Error('wrong') })`)
/** Fails the first time it is run, as under load. */
const flaky = (name: string) =>
  write(
    name,
    `const fs = require('node:fs')
     test('holds, the second time', () => {
       if (fs.existsSync(__filename + '.seen')) return
       fs.writeFileSync(__filename + '.seen', '')
       throw new Error('too busy')
     })`,
  )
const readReport = () => JSON.parse(readFileSync(report, 'utf8')) as Result

function run(command: string[]): string {
  const [program = '', ...args] = command
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8' }).stdout
}

function runTwice(): string {
  run([...runner, '--json', `--outputFile=${report}`])
  return run([process.execPath, path.join(root, 'scripts/setup/second-look.mjs'), report, ...runner])
}

test('a file that fails under load and passes alone is named, and counts as passed', () => {
  good('good')
  flaky('flaky')
  const said = runTwice()
  expect(said).toContain('== 1 test files failed under load, passed alone')
  expect(said).toContain('flaky.test.cjs')
  expect(said).toContain('holds, the second time')
  expect(readReport()).toMatchObject({ success: true, numPassedTests: 2, numFailedTests: 0 })
})

test('a file that fails again is a failure, beside one that passes alone', () => {
  flaky('flaky')
  bad('bad')
  write('broken', 'this is no program')
  const said = runTwice()
  expect(said).toContain('== 1 test files failed under load, passed alone')
  expect(said).not.toContain('       bad.test.cjs')
  const counts = { numPassedTests: 1, numFailedTests: 1, numRuntimeErrorTestSuites: 1 }
  expect(readReport()).toMatchObject({ success: false, ...counts })
})

test('nothing is run again where nothing failed, or nearly everything did', () => {
  good('good')
  expect(runTwice()).toBe('')
  expect(readReport()).toMatchObject({ success: true, numPassedTests: 1 })
  for (let index = 0; index < 13; index += 1) flaky(`flaky-${index}`)
  expect(runTwice()).toBe('== 13 test files failed: too many for a second look\n')
  expect(readReport()).toMatchObject({ success: false, numFailedTests: 13 })
})

test('a run that was cut off leaves no report, and no second look pretends one', () => {
  writeFileSync(report, '')
  expect(run([process.execPath, path.join(root, 'scripts/setup/second-look.mjs'), report, ...runner])).toBe('')
  expect(readFileSync(report, 'utf8')).toBe('')
})

// node scripts/setup/test-report.mjs RESULT.json: the slowest files and every test that did not run, by name.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './files.mjs'

const SLOWEST = 10
const text = readFileSync(process.argv[2], 'utf8')
const files = text === '' ? [] : JSON.parse(text).testResults
const nameOf = ({ name }) => path.relative(root, name)
const secondsOf = ({ startTime, endTime }) => (endTime - startTime) / 1000

console.log(`== the ${SLOWEST} slowest files`)
for (const file of [...files].sort((a, b) => secondsOf(b) - secondsOf(a)).slice(0, SLOWEST)) {
  console.log(`${secondsOf(file).toFixed(0).padStart(5)} s  ${nameOf(file)}`)
}
const skipped = files.flatMap((file) =>
  file.assertionResults
    .filter(({ status }) => ['pending', 'skipped', 'todo', 'disabled'].includes(status))
    .map(({ fullName }) => `${nameOf(file)}: ${fullName}`),
)
console.log(`== ${skipped.length} skipped`)
for (const line of skipped) console.log(`       ${line}`)

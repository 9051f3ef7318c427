import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(__dirname, '..')

/** The names in the rows of the table, such as `reminders/burst`. */
function namedTests(): string[] {
  const guide = fs.readFileSync(path.resolve(__dirname, '../../docs/testing.md'), 'utf8')
  const rows = guide.split('\n').filter((line) => line.startsWith('| '))
  return rows.flatMap((row) => [...row.matchAll(/`([a-z0-9-]+(?:\/[a-z0-9-]+)+)`/g)].map(([, name]) => name ?? ''))
}

function testFiles(): string[] {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' })
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  return tests.map((file) => file.replaceAll(path.sep, '/').replace(/\.test\.ts$/, ''))
}

test('the table of docs/testing.md names every test file, each once, and no other', () => {
  expect(namedTests().toSorted()).toEqual(testFiles().toSorted())
})

import fs from 'node:fs'
import path from 'node:path'
import { CASES } from '../../gate/cases'

const root = path.resolve(__dirname, '../..')

test('docs/reliability.md lists every case with its words and numbers, and no other', () => {
  const lines = fs.readFileSync(path.join(root, 'docs/reliability.md'), 'utf8').split('\n')
  const listed = lines
    .filter((line) => /^\| [A-JP]\d+ \|/.test(line))
    .map((line) => line.split(' | ').slice(0, 3).join(' | '))
  const number = (n: number) => n.toLocaleString('en-US')
  expect(listed).toEqual(CASES.map(({ id, title, n }) => `| ${id} | ${title} | ${number(n.full)}`))
})

test('every case has one id, and every pointer leads to a test file', () => {
  expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length)
  const files = CASES.flatMap((each) =>
    each.kind === 'test' ? each.proofs.map(([name]) => `test/${name}.test.ts`) : [],
  )
  expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
})

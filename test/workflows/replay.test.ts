import fs from 'node:fs'
import path from 'node:path'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import * as workflows from '../../workflows'
import { workflowBundlePath } from '../support/services'

const folder = path.join(__dirname, 'histories')
const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'))
const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8')

const replay = (text: string) =>
  Worker.runReplayHistory({ workflowBundle: { codePath: workflowBundlePath() } }, JSON.parse(text) as unknown)

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) })
})

test.each(names)('the code of today understands %s', async (name) => {
  await replay(read(name))
})

test('every workflow has a history that shows it', () => {
  const types = names.map((name) => /"workflowType":\s*{\s*"name":\s*"(\w+)"/.exec(read(name))?.[1])
  expect(Object.keys(workflows).filter((name) => !types.includes(name))).toEqual([])
})

test('code that does other things than its history is told from code that does the same', async () => {
  const other = read('heartbeat.json').replaceAll('"reconcile"', '"somethingElse"')
  await expect(replay(other)).rejects.toMatchObject({ name: 'DeterminismViolationError' })
})

test('no history holds what a person wrote', () => {
  for (const name of names)
    expect(read(name)).not.toMatch(new RegExp(`${Buffer.from('"tea"').toString('base64')}|"tea"`))
})

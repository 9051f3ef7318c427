import { eventually } from '../support/eventually'
import { endProcesses, settingsOf, startProcess } from '../support/processes'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
beforeAll(async () => {
  world = await buildWorld(() => says('the oven is off'))
}, 120_000)
afterAll(async () => {
  await endProcesses()
  await world.close()
}, 60_000)

/** Where the worker dies, and how often the model may have been asked in the end. */
const PLACES = [
  ['automation_queued', 1],
  ['automation_running', 1],
  ['automation_answered', 2],
  ['automation_stored', 1],
] as const

test.each(PLACES)(
  'a worker killed at %s is followed by one that gives one answer, asking the model %s time(s)',
  async (point, asked) => {
    const session = await world.product.session()
    const before = world.model.requests.length
    const id = await world.add(session, { at: 'in 2 seconds', name: point })
    const settings = settingsOf(world.product)
    const first = await startProcess('worker', { ...settings, PUNCTUAL_TEST_CRASH_POINT: point }).then(
      (worker) => worker.ended,
      (error: Error) => error.message,
    )
    expect(first).toContain('SIGKILL')
    const second = await startProcess('worker', settings)
    expect((await world.ended(id)).map(({ state }) => state)).toEqual(['succeeded'])
    const said = await world.history(session.sessionKey)
    expect(said.map(({ role, content }) => [role, content.split('\n')[0]])).toEqual([
      ['user', `Scheduled automation triggered: ${point}`],
      ['assistant', 'the oven is off'],
    ])
    expect(world.model.requests.length - before).toBe(asked)
    await second.kill()
  },
  120_000,
)

test('a worker killed after a tool was called does not call it again: the run ends as a visible failure', async () => {
  const session = await world.product.session()
  world.model.setScript([
    { kind: 'tool_calls', calls: [{ name: 'query_tasks', arguments: {} }] },
    { kind: 'hang', after: 'request' },
  ])
  const id = await world.add(session, { at: 'in 2 seconds', name: 'tasks' })
  const settings = settingsOf(world.product)
  const first = await startProcess('worker', settings)
  const { pool } = world.product.parts.database
  const called = () =>
    pool.query('SELECT 1 FROM tool_calls WHERE session_key = $1 AND ended_at IS NOT NULL', [session.sessionKey])
  await eventually(async () => (await called()).rowCount === 1, 40_000)
  await first.kill()
  const second = await startProcess('worker', settings)
  expect((await world.ended(id)).map(({ state, error }) => [state, error])).toEqual([['failed', 'interrupted']])
  const said = (await world.history(session.sessionKey)).filter(({ role }) => role === 'assistant')
  expect(said.map(({ content }) => content)).toEqual([
    'The automation "tasks" could not be completed this time; the cause is recorded.',
  ])
  await second.kill()
}, 120_000)

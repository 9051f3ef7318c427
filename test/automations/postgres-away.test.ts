import { openPostgres } from '../journeys/private-services'
import type { PrivateService } from '../journeys/private-services'
import { eventually } from '../support/eventually'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let postgres: PrivateService
let world: World
beforeAll(async () => {
  postgres = await openPostgres()
  world = await buildWorld(() => says('the oven is off'), { DATABASE_URL: postgres.address })
  await world.product.startWorker()
}, 120_000)
// PostgreSQL is taken away here: whatever asks it then fails, and is done again.
const ASKING = ['reconcile', 'archiveOldMessages', 'dream', 'runAutomationTurn', 'queueAutomation'] as const
beforeAll(() => world.product.guard.expectActivityFailures(...ASKING))
afterAll(async () => {
  await world.close()
  await postgres.stop()
}, 60_000)

async function restartPostgres(): Promise<void> {
  await postgres.stop()
  await postgres.start()
}

test('PostgreSQL that goes away while a turn runs fails no run: the turn is done again, once', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  let asked = 0
  world.model.setScript(() => {
    asked += 1
    if (asked > 1) return says('the oven is off')
    // Gone before the model's call of a tool can be written down.
    postgres.kill()
    return { kind: 'tool_calls', calls: [{ name: 'query_tasks', arguments: {} }] }
  })
  await world.fire(id)
  await eventually(() => asked === 1, 30_000)
  await restartPostgres()
  const ended = await eventually(async () => {
    const runs = await world.runs(id).catch(() => [])
    return runs[0] && !['queued', 'running'].includes(runs[0].state) ? runs : null
  }, 60_000)
  expect(ended.map(({ state, error }) => [state, error])).toEqual([['succeeded', null]])
  const said = await world.history(session.sessionKey)
  expect(said.map(({ role, content }) => [role, content.split('\n')[0]])).toEqual([
    ['user', 'Scheduled automation triggered: oven'],
    ['assistant', 'the oven is off'],
  ])
}, 120_000)

test('an answer waits for PostgreSQL, however often it is asked, for a day', async () => {
  world.model.setScript(() => says('the oven is off'))
  const id = await world.add(await world.product.session())
  await world.fire(id)
  await world.ended(id)
  const { rows } = await world.product.parts.database.pool.query<{ workflowId: string }>(
    'SELECT workflow_id FROM automation_runs WHERE automation_id = $1',
    [id],
  )
  const { events } = await world.temporal.workflow.getHandle(rows[0]!.workflowId).fetchHistory()
  const asked = events?.flatMap(({ activityTaskScheduledEventAttributes: each }) => (each ? [each] : [])) ?? []
  expect(
    asked.map(({ activityType, retryPolicy, scheduleToCloseTimeout }) => [
      activityType?.name,
      retryPolicy?.maximumAttempts ?? 0,
      Number(scheduleToCloseTimeout?.seconds),
    ]),
  ).toEqual([['runAutomationTurn', 0, 86_400]])
}, 60_000)

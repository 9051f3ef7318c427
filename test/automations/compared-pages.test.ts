import pino from 'pino'
import { automationSteps } from '../../src/automations'
import { createSharedSessions } from '../../src/conversation/shared-session'
import { createIsolation } from '../../src/engine/each-alone'
import { eventually } from '../support/eventually'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
beforeAll(async () => {
  // No worker: its own passes would move the mark.
  world = await buildWorld(() => says('the oven is off'))
}, 120_000)
afterAll(() => world.close())

const schedule = (id: string) => world.temporal.schedule.getHandle(`automation/${id}`)
const isPaused = async (id: string) => (await world.product.parts.automations.find(id))?.automation.state === 'paused'

/** One pass of the step that hears operators, a page of two at a time. */
async function pass(): Promise<number> {
  const { stores, scheduler, automationSchedules: schedules } = world.product.parts
  const shared = createSharedSessions(stores.sessions, false)
  const steps = automationSteps({ ...stores, shared, scheduler, schedules, comparedAtOnce: 2 })
  const failed: string[] = []
  const isolation = createIsolation(pino({ level: 'silent' }), (step) => failed.push(step))
  const heard = await isolation.step('operators', steps.find(({ name }) => name === 'operators')!.run)
  expect(failed).toEqual([])
  return heard
}

/** Temporal's list may lag behind what an operator did. */
const listedAsPaused = (...ids: string[]) =>
  eventually(async () => {
    const listed = await world.product.parts.automationSchedules.list(100)
    return listed.size === 5 && ids.every((id) => listed.get(id)?.paused === true)
  }, 30_000)

test('what an operator pauses is heard however many automations there are: each pass goes on behind the last one', async () => {
  const session = await world.product.session()
  const added = []
  for (let number = 0; number < 5; number++) added.push(await world.add(session, { name: `oven ${number}` }))
  const ids = added.sort()
  const { dispatcher, database, stores } = world.product.parts
  await eventually(async () => {
    await dispatcher.drain()
    const { rows } = await database.pool.query('SELECT 1 FROM automations WHERE synced_version = version')
    return rows.length === 5
  })
  const markOf = () => stores.marks.readText('automations.compared_until')
  const settle = () => database.pool.query(`UPDATE automations SET synced_at = now() - interval '5 minutes'`)
  await settle()
  await schedule(ids[4]!).pause('maintenance')
  await listedAsPaused(ids[4]!)

  expect([await pass(), await markOf(), await isPaused(ids[4]!)]).toEqual([0, ids[1], false])
  // Behind the mark by now: heard when the passes come round.
  await schedule(ids[0]!).pause('maintenance')
  await listedAsPaused(ids[0]!, ids[4]!)
  expect([await pass(), await markOf(), await isPaused(ids[4]!)]).toEqual([0, ids[3], false])
  expect([await pass(), await markOf(), await isPaused(ids[4]!)]).toEqual([1, null, true])
  expect([await pass(), await isPaused(ids[0]!)]).toEqual([1, true])
  expect(await Promise.all(ids.map(isPaused))).toEqual([true, false, false, false, true])
}, 120_000)

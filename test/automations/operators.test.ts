import { v7 as uuidv7 } from 'uuid'
import { eventually } from '../support/eventually'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
beforeAll(async () => {
  world = await buildWorld(() => says('the oven is off'))
  world.product.guard.expectLooseRows('automation_run')
  await world.product.startWorker()
}, 120_000)
afterAll(() => world.close())

const sql = (text: string, values: unknown[]) => world.product.parts.database.pool.query(text, values)
const schedule = (id: string) => world.temporal.schedule.getHandle(`automation/${id}`)
const find = async (id: string) => (await world.product.parts.automations.find(id))?.automation

/** Temporal knows the automation, and has known it for a while. */
async function settled(id: string): Promise<void> {
  await eventually(() =>
    schedule(id)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  )
  await eventually(
    async () => (await sql('SELECT 1 FROM automations WHERE id = $1 AND synced_version = version', [id])).rowCount,
  )
  await sql(`UPDATE automations SET synced_at = now() - interval '5 minutes' WHERE id = $1`, [id])
}

/** Passes of the reconciler until the row is as wanted: what Temporal lists may lag behind. */
const reconcileUntil = (look: () => Promise<unknown>) =>
  eventually(async () => {
    await world.product.parts.reconcile()
    return look()
  }, 30_000)

test('pausing, resuming and deleting a schedule in Temporal is so in the row', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  await settled(id)
  await schedule(id).pause('maintenance')
  await reconcileUntil(async () => (await find(id))?.state === 'paused')
  expect(await find(id)).toMatchObject({ stateReason: 'paused by operator' })
  await settled(id)
  await schedule(id).unpause()
  await reconcileUntil(async () => (await find(id))?.state === 'active')
  await settled(id)
  await schedule(id).delete()
  await reconcileUntil(async () => (await find(id)) === undefined)
  const events = await world.product.parts.stores.events.after(session.sessionKey, 0, 100)
  const states = events.filter(({ name }) => name === 'promise').map(({ data }) => data['state'])
  expect(states).toEqual(['pending', 'paused', 'pending', 'cancelled'])
  expect((await world.history(session.sessionKey)).map(({ content }) => content)).toEqual([
    'An operator has paused the automation "oven". Enable it again when you need it.',
    'An operator has resumed the automation "oven".',
    'An operator has deleted the automation "oven"; it will not run again.',
  ])
})

test('a schedule that was never seen there was deleted by nobody: it is made again', async () => {
  const id = await world.add(await world.product.session())
  await settled(id)
  // As in a copy of Temporal that is older than the automation.
  await schedule(id).delete()
  await sql('UPDATE automations SET seen_generation = NULL WHERE id = $1', [id])
  await reconcileUntil(() =>
    schedule(id)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  )
  expect(await find(id)).toMatchObject({ state: 'active' })
})

test('enabling and disabling reaches the schedule, and an ended one is gone there', async () => {
  const id = await world.add(await world.product.session())
  const { automations } = world.product.parts
  await automations.setEnabled(id, false)
  await eventually(
    async () =>
      (
        await schedule(id)
          .describe()
          .catch(() => undefined)
      )?.state.paused,
  )
  expect((await automations.find(id))?.nextRuns).toEqual([])
  await automations.setEnabled(id, true)
  await eventually(async () => (await schedule(id).describe()).state.paused === false)
  await automations.remove(id, { reason: 'removed' })
  await eventually(() =>
    schedule(id)
      .describe()
      .then(
        () => false,
        () => true,
      ),
  )
})

test('the schedule shows ids and the rhythm to an operator, and nothing that a person wrote', async () => {
  const secret = `canary-${uuidv7()}`
  const session = await world.product.session()
  const id = await world.add(session, { message: secret, name: secret, repeat: 'every weekday at 9am' })
  await settled(id)
  const description = await schedule(id).describe()
  expect(JSON.stringify(description.raw)).not.toContain(secret)
  expect(description.policies).toMatchObject({ overlap: 'BUFFER_ONE', catchupWindow: 600_000 })
  const { searchAttributes } = description
  expect(searchAttributes).toMatchObject({ PunctualKind: ['automation'], PunctualSession: [session.sessionKey] })
})

test('a run cancelled, or terminated, in Temporal ends visibly and only once', async () => {
  world.model.setScript(() => ({ kind: 'hang', after: 'request' }))
  const session = await world.product.session()
  const id = await world.add(session)
  const running = async () => {
    await world.fire(id)
    await eventually(async () => (await world.runs(id))[0]?.state === 'running')
    const { rows } = await sql(
      'SELECT workflow_id FROM automation_runs WHERE automation_id = $1 ORDER BY scheduled_at DESC',
      [id],
    )
    return world.temporal.workflow.getHandle((rows[0] as { workflowId: string }).workflowId)
  }
  await (await running()).cancel()
  await world.ended(id, 1)
  await (await running()).terminate('enough')
  await reconcileUntil(async () => (await world.runs(id))[0]?.state === 'cancelled')
  expect((await world.runs(id)).map(({ state, error }) => [state, error])).toEqual([
    ['cancelled', 'terminated by operator'],
    ['cancelled', 'cancelled by operator'],
  ])
  const said = (await world.history(session.sessionKey)).filter(({ role }) => role === 'assistant')
  expect(said.map(({ content }) => content)).toEqual(Array(2).fill('The automation "oven" was stopped this time.'))
  world.model.setScript(() => says('hello'))
  const after = await world.product.parts.chat.send(session, { message: 'Still there?', senderId: 'me' })
  expect(after.content).toBe('hello')
}, 90_000)

test('slots that nobody took are recorded as missed, once, and shown', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { everySeconds: 3_600, repeat: undefined })
  await settled(id)
  await sql(
    `UPDATE automations SET created_at = created_at - interval '5 hours', accounted_until = now() - interval '5 hours' WHERE id = $1`,
    [id],
  )
  await world.product.parts.reconcile()
  await world.product.parts.reconcile()
  const runs = await world.runs(id)
  expect(runs.map(({ state }) => state)).toEqual(Array(4).fill('missed'))
  const gaps = runs.slice(1).map((run, index) => runs[index]!.scheduledAt.getTime() - run.scheduledAt.getTime())
  expect(gaps).toEqual(Array(3).fill(3_600_000))
  const promises = await world.product.parts.stores.promises.list({
    bots: 'all',
    sessionKey: session.sessionKey,
    limit: 50,
  })
  expect(promises.filter(({ state }) => state === 'missed')).toHaveLength(4)
  expect(promises.filter(({ kind }) => kind === 'automation').map(({ state }) => state)).toEqual(['pending'])
})

test('a slot whose workflow could start only after ten minutes is missed, not run late', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  const before = world.model.requests.length
  const slot = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 11 * 60_000)
  const due = { automationId: id, slot, startedAt: slot, workflowId: `automation-run/${id}-late` }
  expect(await world.product.parts.automationSlots.queue(due)).toEqual({ state: 'missed' })
  expect(await world.product.parts.automationSlots.queue(due)).toEqual({ state: 'missed' })
  // One that was held up by the run before it is old without being late.
  const buffered = { ...due, slot: new Date(slot.getTime() + 1_000), startedAt: new Date() }
  expect(await world.product.parts.automationSlots.queue(buffered)).toMatchObject({ state: 'queued' })
  expect(world.model.requests.length).toBe(before)
})

test('while the only run of an automation waits, the list and the stream show one promise with its time', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { at: 'in 2 hours' })
  const slot = (await find(id))!.nextRunAt!
  const due = { automationId: id, slot, startedAt: new Date(), workflowId: `automation-run/${id}-at` }
  await world.product.parts.automationSlots.queue(due)
  const { sessionKey } = session
  const promises = await world.product.parts.stores.promises.list({ bots: 'all', sessionKey, limit: 10 })
  expect(promises).toMatchObject([{ kind: 'automation_run', state: 'pending', dueAt: slot }])
  const events = await world.product.parts.stores.events.after(sessionKey, 0, 100)
  const shown = events.filter(({ name }) => name === 'promise').map(({ data }) => data['due_at'])
  expect(new Set(shown)).toEqual(new Set([slot.toISOString()]))
})

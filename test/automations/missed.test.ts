import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
beforeAll(async () => {
  world = await buildWorld(() => says('the oven is off'))
  await world.product.startWorker()
}, 120_000)
afterAll(() => world.close())

const sql = (text: string, values: unknown[]) => world.product.parts.database.pool.query(text, values)
const reconcile = () => world.product.parts.reconcile()
const notesOf = async (sessionKey: string) =>
  (await world.history(sessionKey)).filter(({ metadata }) => metadata['automation_note'] === 'missed')

/** What five hours without Temporal would have left. */
const wasAway = (id: string) =>
  sql(
    `UPDATE automations SET created_at = created_at - interval '5 hours', accounted_until = now() - interval '5 hours',
       next_run_at = next_run_at - interval '5 hours' WHERE id = $1`,
    [id],
  )

test('slots that nobody ran are told in one line of the chat, once, and each is recorded with its cause', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { everySeconds: 3_600 })
  await wasAway(id)
  await reconcile()
  await reconcile()
  const runs = await world.runs(id)
  expect(runs.map(({ state, error }) => [state, error])).toEqual(Array(4).fill(['missed', 'not_started']))
  const notes = await notesOf(session.sessionKey)
  expect(notes.map(({ content }) => content)).toEqual([
    expect.stringMatching(
      /^The automation "oven" missed 4 runs between \d{4}-\d\d-\d\d \d\d:\d\d and .+: the service was/,
    ),
  ])
  expect(new Set(runs.map(({ messageId }) => messageId))).toEqual(new Set([notes[0]!.id]))
})

test('slots that were held up by a run are recorded as that, and not told', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { everySeconds: 3_600 })
  await wasAway(id)
  await sql(
    `INSERT INTO automation_runs (id, automation_id, session_key, bot_uuid, scheduled_at, state, queued_at, ended_at)
     VALUES ($1, $2, $3, $4, now() - interval '301 minutes', 'succeeded', now() - interval '301 minutes', now())`,
    [`${id}:0`, id, session.sessionKey, session.botUuid],
  )
  await reconcile()
  const missed = (await world.runs(id)).filter(({ state }) => state === 'missed')
  expect(missed.map(({ error }) => error)).toEqual(Array(4).fill('overlap'))
  expect(await notesOf(session.sessionKey)).toEqual([])
})

test('a one-time automation whose moment passed while nobody was there runs late and says so', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { at: 'in 2 hours' })
  const slot = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 1_800_000)
  await sql(
    `UPDATE automations SET recurrence = jsonb_set(recurrence, '{at}', to_jsonb($2::text)), next_run_at = $3,
       accounted_until = now() - interval '1 hour' WHERE id = $1`,
    [id, slot.toISOString(), slot],
  )
  await reconcile()
  expect((await world.runs(id)).map(({ state }) => state)).toEqual(['queued'])
  await sql(`UPDATE automation_runs SET queued_at = now() - interval '5 minutes' WHERE automation_id = $1`, [id])
  await reconcile()
  const [run] = await world.ended(id)
  expect(run).toMatchObject({ state: 'succeeded', scheduledAt: slot })
  expect(run!.lateByMs).toBeGreaterThanOrEqual(1_800_000)
  const said = await world.history(session.sessionKey)
  expect(said.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(said[0]!.content).toMatch(/\(Due .+, 3\d minutes late\.\)$/)
  expect((await world.product.parts.automations.find(id))?.automation.state).toBe('ended')
}, 60_000)

test('what ended while nobody was there has its missed slots recorded, and runs no more', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { everySeconds: 3_600 })
  await wasAway(id)
  await sql(`UPDATE automations SET ends_at = now() - interval '2 hours' WHERE id = $1`, [id])
  const { rows } = await sql('SELECT accounted_until AS slot FROM automations WHERE id = $1', [id])
  const { slot } = rows[0] as { slot: Date }
  const due = { automationId: id, slot, startedAt: new Date(), workflowId: `automation-run/${id}-late` }
  expect(await world.product.parts.automationSlots.queue(due)).toEqual({ state: 'missed' })
  await sql(`UPDATE automations SET state = 'ended', updated_at = now() WHERE id = $1`, [id])
  await reconcile()
  const runs = await world.runs(id)
  expect(runs.map(({ state }) => state)).toEqual(Array(runs.length).fill('missed'))
  expect(runs.length).toBeGreaterThanOrEqual(3)
  expect(await notesOf(session.sessionKey)).toHaveLength(1)
})

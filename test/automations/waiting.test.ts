import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

const SESSIONS = 25
const isAutomation = (text: string | null | undefined) => text?.startsWith('[automation]') ?? false

let world: World
beforeAll(async () => {
  world = await buildWorld(({ body }) =>
    isAutomation(body.messages.at(-1)?.content)
      ? says('the oven is off')
      : { kind: 'slow', pieces: ['I ', 'am ', 'thinking ', 'about ', 'it ', 'still.'], gapMs: 1_500 },
  )
  await world.product.startWorker()
}, 120_000)
afterAll(() => world.close())

const turnsOf = async (sessionKey: string) => {
  const { rows } = await world.product.parts.database.pool.query<{ origin: string; startedAt: Date; endedAt: Date }>(
    'SELECT origin, started_at, ended_at FROM turns WHERE session_key = $1 ORDER BY seq',
    [sessionKey],
  )
  return rows
}

test(`an automation that falls due inside a turn waits for its end, unseen by it, in ${SESSIONS} sessions at once`, async () => {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => world.product.session()))
  const ids = await Promise.all(sessions.map((session) => world.add(session)))
  const { chat } = world.product.parts
  const turns = sessions.map((session) => chat.send(session, { message: 'Think aloud.', senderId: 'me' }))
  await Promise.all(ids.map(world.fire))
  // The live stream shows that it waits, while the turn is still running.
  const [first] = sessions
  const queued = await eventually(async () => {
    const events = await world.product.parts.stores.events.after(first!.sessionKey, 0, 100)
    return events.find(({ name, data }) => name === 'turn' && data['origin'] === 'automation')
  })
  expect(queued.data).toMatchObject({ state: 'queued', automation_id: ids[0], automation_name: 'oven' })
  expect((await world.product.parts.automations.find(ids[0]!))?.queued).toBe(true)
  expect((await world.runs(ids[0]!)).map(({ state }) => state)).toEqual(['queued'])

  const answers = await Promise.all(turns)
  expect(new Set(answers.map(({ content }) => content))).toEqual(new Set(['I am thinking about it still.']))
  for (const [index, id] of ids.entries()) {
    expect((await world.ended(id)).map(({ state }) => state)).toEqual(['succeeded'])
    const [user, automation] = await turnsOf(sessions[index]!.sessionKey)
    expect([user!.origin, automation!.origin]).toEqual(['user', 'automation'])
    expect(automation!.startedAt.getTime()).toBeGreaterThanOrEqual(user!.endedAt.getTime())
  }
  for (const { body } of world.model.requests.filter(({ body }) => !isAutomation(body.messages.at(-1)?.content))) {
    const said = body.messages.filter(({ role }) => role !== 'system')
    expect(JSON.stringify(said)).not.toMatch(/automation|oven/)
  }
}, 120_000)

test('due five times during one long turn, it runs once and once more, and nothing is left open', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  const turn = world.product.parts.chat.send(session, { message: 'Think aloud.', senderId: 'me' })
  const handle = world.temporal.schedule.getHandle(`automation/${id}`)
  await world.fire(id)
  await eventually(async () => (await world.runs(id)).length === 1)
  for (let count = 2; count <= 5; count++) {
    // Slots are whole seconds.
    await sleep(1_100)
    await handle.trigger('BUFFER_ONE')
  }
  await turn
  await world.ended(id, 2)
  const open = `PunctualKind = 'automation_run' AND ExecutionStatus = 'Running'`
  await eventually(async () => (await world.temporal.workflow.count(open)).count === 0)
  expect((await world.runs(id)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
}, 60_000)

test('a person who speaks while an automation runs is answered after it', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  world.model.setScript(({ body }) =>
    isAutomation(body.messages.at(-1)?.content)
      ? { kind: 'slow', pieces: ['the ', 'oven ', 'is off'], gapMs: 700 }
      : says('you are welcome'),
  )
  await world.fire(id)
  await eventually(async () => (await world.runs(id))[0]?.state === 'running')
  await world.product.parts.chat.send(session, { message: 'Thanks!', senderId: 'me' })
  const said = (await world.history(session.sessionKey)).map(({ content }) => content.split('\n')[0])
  expect(said).toEqual(['Scheduled automation triggered: oven', 'the oven is off', 'Thanks!', 'you are welcome'])
})

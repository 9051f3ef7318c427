import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
beforeAll(async () => {
  world = await buildWorld(() => says('the oven is off'))
  await world.product.startWorker()
}, 120_000)
afterAll(() => world.close())

const count = async (table: string, sessionKey: string) => {
  const { rows } = await world.product.parts.database.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${table} WHERE session_key = $1`,
    [sessionKey],
  )
  return rows[0]!.count
}
const isGone = (id: string) =>
  world.temporal.schedule
    .getHandle(`automation/${id}`)
    .describe()
    .then(
      () => false,
      () => true,
    )

test('a session with automations is deleted in two steps, and then nothing of it is left', async () => {
  const { sessions, chat, scheduledMessages } = world.product.parts
  const session = await world.product.session()
  const { sessionKey } = session
  await chat.send(session, { message: 'Hello', senderId: 'me' })
  const promised = { sendAt: 'in 1 hour', messageText: 'tea', replaceExisting: false, language: 'en' as const }
  await scheduledMessages.schedule(session, promised)
  const id = await world.add(session)
  const blocked = await sessions.delete(ADMIN, sessionKey, { deleteAutomations: false })
  expect(blocked).toMatchObject({ deleted: false, automations: [{ id, name: 'oven', state: 'active' }] })
  expect(await count('message_history', sessionKey)).toBe(2)

  expect(await sessions.delete(ADMIN, sessionKey, { deleteAutomations: true })).toEqual({ deleted: true })
  await expect(sessions.open(ADMIN, sessionKey)).rejects.toMatchObject({ code: 'not_found' })
  for (const table of ['automations', 'automation_runs', 'message_history', 'turns', 'session_events']) {
    expect([table, await count(table, sessionKey)]).toEqual([table, 0])
  }
  const { rows } = await world.product.parts.database.pool.query(
    'SELECT status, cancel_reason FROM scheduled_messages WHERE session_id = $1',
    [sessionKey],
  )
  expect(rows).toEqual([{ status: 'cancelled', cancelReason: 'session deleted' }])
  await eventually(() => isGone(id))

  // The same person begins anew, remembering nothing.
  const again = await world.product.session(session.launcherId)
  expect(again.sessionKey).toBe(sessionKey)
  const before = world.model.requests.length
  await chat.send(again, { message: 'Hello again', senderId: 'me' })
  const shown = world.model.requests[before]!.body.messages.filter(({ role }) => role !== 'system')
  expect(shown.map(({ content }) => content)).toEqual(['Hello again'])
})

test('deleting races with due: whoever is first, nothing is said afterwards and nothing stays open', async () => {
  const sessions = await Promise.all(Array.from({ length: 20 }, () => world.product.session()))
  const ids = await Promise.all(sessions.map((session) => world.add(session)))
  const handles = ids.map((id) => world.temporal.schedule.getHandle(`automation/${id}`))
  for (const handle of handles)
    await eventually(() =>
      handle.describe().then(
        () => true,
        () => false,
      ),
    )
  await Promise.all(
    sessions.flatMap(({ sessionKey }, index) => [
      handles[index]!.trigger('BUFFER_ONE').catch(() => undefined),
      sleep(index * 40).then(() => world.product.parts.sessions.delete(ADMIN, sessionKey, { deleteAutomations: true })),
    ]),
  )
  for (const id of ids) await eventually(() => isGone(id), 30_000)
  const open = () => {
    const query = `PunctualKind = 'automation_run' AND ExecutionStatus = 'Running'`
    return world.temporal.workflow.count(query)
  }
  await eventually(async () => (await open()).count === 0, 30_000)
  for (const { sessionKey } of sessions) {
    expect(await count('message_history', sessionKey)).toBe(0)
    expect(await count('automation_runs', sessionKey)).toBe(0)
  }
}, 120_000)

test('removing an automation takes back the run that waits for its turn', async () => {
  world.model.setScript(() => ({ kind: 'slow', pieces: ['one ', 'two ', 'three'], gapMs: 1_000 }))
  const session = await world.product.session()
  const id = await world.add(session)
  const turn = world.product.parts.chat.send(session, { message: 'Count.', senderId: 'me' })
  await world.fire(id)
  await eventually(async () => (await world.runs(id))[0]?.state === 'queued')
  expect(await world.product.parts.automations.remove(id, { reason: 'removed' })).toBe(true)
  expect((await turn).content).toBe('one two three')
  expect((await world.runs(id)).map(({ state, error }) => [state, error])).toEqual([['cancelled', 'removed']])
  await eventually(() => isGone(id))
  expect((await world.history(session.sessionKey)).map(({ content }) => content)).toEqual(['Count.', 'one two three'])
}, 60_000)

import { ADMIN } from '../support/product'
import { eventually } from '../support/eventually'
import { endProcesses, startProcess } from '../support/processes'
import { mapLimited, untilNonePending } from '../reminders/reminder-fixture'
import { buildWorld, settle } from './journey-fixture'
import type { World } from './journey-fixture'

const COUNT = 100

let world: World
beforeEach(async () => {
  world = await buildWorld()
}, 60_000)
afterEach(async () => {
  await endProcesses()
  await world.close()
}, 60_000)

/** Asks for a message over HTTP; the id only if the front door said that it is promised. */
async function ask(url: string, key: string, number: number): Promise<string | undefined> {
  const body = { session_key: `chat-${number % 4}`, send_at: 'in 4 seconds', message_text: `message ${number}` }
  const request = fetch(`${url}/api/v1/scheduled-messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  })
  // No answer is no promise: the person is told nothing, and may ask again.
  const answer = await request.catch(() => undefined)
  if (answer?.status !== 201) return undefined
  const { data } = (await answer.json().catch(() => ({}))) as { data?: { task_id: string } }
  return data?.task_id
}

test.each(['outbox_written', 'workflow_started'])(
  'a front door killed at %s loses nothing that it had promised, and leaves no workflow without a row',
  async (point) => {
    const { product, settings } = world
    const { pool } = product.parts.database
    const { key } = await product.parts.access.createApiKey(ADMIN, { name: 'test', scopes: ['send'], botUuids: [] })
    const crash = { PUNCTUAL_TEST_CRASH_POINT: `${point}:${COUNT / 4}` }
    const [doomed] = await Promise.all([startProcess('server', { ...settings, ...crash }), world.startWorker()])
    const first = await mapLimited(COUNT / 2, (number) => ask(doomed.url, key, number), 4)
    await eventually(() => !doomed.isRunning())
    expect(await doomed.ended).toBe('SIGKILL')
    const again = await startProcess('server', settings)
    const second = await mapLimited(COUNT / 2, (number) => ask(again.url, key, COUNT / 2 + number), 4)
    expect(second).not.toContain(undefined)

    await untilNonePending(pool, 90_000)
    const { statuses, repeated } = await settle(world)
    expect(Object.keys(statuses)).toEqual(['sent'])
    expect(repeated).toEqual({})
    const promised = [...first, ...second].filter((id) => id !== undefined)
    const { rows } = await pool.query<{ id: string; lateByMs: number }>('SELECT id, late_by_ms FROM scheduled_messages')
    const kept = new Set(rows.map(({ id }) => id))
    expect(promised.filter((id) => !kept.has(id))).toEqual([])
    expect(Math.max(...rows.map((row) => row.lateByMs))).toBeLessThan(60_000)
    await eventually(async () => (await product.parts.stores.outbox.size()) === 0, 60_000)
  },
  180_000,
)

import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let key: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  key = (await house.addKey('send', 'bot-a')).key
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

interface Answer {
  data: Record<string, unknown> & { automations?: Record<string, unknown>[] }
  error?: { code: string }
}
async function ask(method: 'GET' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const answer = await app.inject({ method, url: `/api/v1${path}`, headers: { 'x-api-key': key }, payload })
  return { status: answer.statusCode, ...answer.json<Answer>() }
}

async function automate(sessionKey: string, repeat = 'every weekday at 9am'): Promise<string> {
  await house.addSession(sessionKey, 'bot-a')
  const caller = await house.access.authenticate({ kind: 'api_key', key })
  const session = await house.door.sessions.open(caller, sessionKey)
  const outcome = await house.door.automations.add(session, {
    message: 'Check the mail',
    name: 'mail',
    repeat,
    language: 'en',
  })
  if (!outcome.ok) throw new Error(outcome.hint)
  return outcome.view.automation.id
}

test('the panel shows words, next runs and state; enabling and disabling change it', async () => {
  const id = await automate('panel')
  const { data } = await ask('GET', '/sessions/panel/automations')
  expect(data).toMatchObject({
    count: 1,
    automations: [
      {
        ...{
          id,
          name: 'mail',
          message: 'Check the mail',
          enabled: true,
          state: 'active',
          queued: false,
          last_run: null,
        },
        schedule: { kind: 'cron', expressions: ['0 9 * * 1-5'], timezone: 'UTC' },
        words: 'Every weekday at 09:00',
        schedule_id: `automation/${id}`,
      },
    ],
  })
  const [shown] = data.automations as [{ next_runs: string[]; next_run_at: string }]
  expect(shown.next_runs).toHaveLength(5)
  expect(shown.next_runs[0]).toBe(shown.next_run_at)
  expect(shown.next_runs.every((at) => at.endsWith('T09:00:00.000Z'))).toBe(true)

  const off = await ask('PATCH', `/automations/${id}`, { enabled: false })
  expect(off.data).toMatchObject({ enabled: false, state: 'paused', next_runs: [], next_run_at: null })
  const promises = await ask('GET', '/promises?session_key=panel')
  expect(promises.data['promises']).toMatchObject([{ kind: 'automation', id, state: 'paused', summary: 'mail' }])
  expect((await ask('PATCH', `/automations/${id}`, { enabled: true })).data).toMatchObject({ state: 'active' })
  expect((await ask('GET', `/automations/${id}`)).data).toMatchObject({ id, runs: [] })
  expect((await ask('DELETE', `/automations/${id}`)).data).toEqual({ deleted: true })
  expect((await ask('GET', `/automations/${id}`)).status).toBe(404)
  expect((await ask('GET', '/sessions/panel/automations')).data).toEqual({ automations: [], count: 0 })
})

test('deleting a session with automations asks first and names them, then removes both', async () => {
  const id = await automate('doomed')
  expect((await ask('DELETE', '/sessions/doomed')).data).toEqual({
    deleted: false,
    blocked_by_automations: true,
    automations: [{ id, name: 'mail', enabled: true }],
  })
  expect((await ask('GET', `/automations/${id}`)).status).toBe(200)
  expect((await ask('DELETE', '/sessions/doomed?delete_automations=true')).data).toEqual({ deleted: true })
  expect((await ask('GET', `/automations/${id}`)).status).toBe(404)
  expect((await ask('DELETE', '/sessions/doomed')).status).toBe(404)
})

test('a session without automations goes at once, and one can be renamed', async () => {
  await house.addSession('plain', 'bot-a')
  expect((await ask('PATCH', '/sessions/plain', { title: ' Groceries ' })).data).toMatchObject({ title: 'Groceries' })
  expect((await ask('DELETE', '/sessions/plain')).data).toEqual({ deleted: true })
  expect((await ask('GET', '/sessions/plain/automations')).status).toBe(404)
})

test('what the runs of an automation may cost in a day is set and lifted', async () => {
  const id = await automate('costly')
  expect((await ask('GET', `/automations/${id}`)).data).toMatchObject({ daily_tokens: null })
  const limited = await ask('PATCH', `/automations/${id}`, { daily_tokens: 5_000 })
  expect(limited).toMatchObject({ status: 200, data: { daily_tokens: 5_000, enabled: true } })
  expect((await ask('PATCH', `/automations/${id}`, { daily_tokens: null })).data).toMatchObject({ daily_tokens: null })
  expect((await ask('PATCH', `/automations/${id}`, { daily_tokens: 0 })).status).toBe(400)
  expect((await ask('PATCH', `/automations/${id}`, {})).status).toBe(400)
})

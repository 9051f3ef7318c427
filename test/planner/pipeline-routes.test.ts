import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let key: string

beforeAll(async () => {
  house = await buildAppFixture()
  key = (await house.addKey('admin')).key
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

async function ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const answer = await app.inject({ method, url: `/api/v1${path}`, headers: { 'x-api-key': key }, payload })
  return { status: answer.statusCode, ...answer.json<{ data: Record<string, unknown>; error?: { code: string } }>() }
}

test('a pipeline is made, given to a bot, changed, and removed once no bot uses it', async () => {
  const made = await ask('POST', '/pipelines', { uuid: 'pirate', name: 'Pirate', instructions: 'Speak like a pirate.' })
  expect(made).toMatchObject({ status: 201, data: { uuid: 'pirate', base: 'assistant', shipped: false } })
  expect((await ask('POST', '/pipelines', { uuid: 'pirate', name: 'Again' })).error?.code).toBe('pipeline_exists')
  const bot = await ask('POST', '/bots', { uuid: 'bot-p', name: 'Jack', pipeline_uuid: 'pirate' })
  expect(bot.status).toBe(201)
  const changed = await ask('PATCH', '/pipelines/pirate', { name: 'Captain', nonsense: { a: 1 } })
  expect(changed).toMatchObject({ status: 200, data: { name: 'Captain', instructions: 'Speak like a pirate.' } })
  expect((await ask('DELETE', '/pipelines/pirate')).error?.code).toBe('pipeline_in_use')
  await ask('PATCH', '/bots/bot-p', { pipeline_uuid: 'assistant' })
  expect((await ask('DELETE', '/pipelines/pirate')).data).toEqual({ removed: true })
  expect((await ask('PATCH', '/pipelines/pirate', { name: 'Ghost', nonsense: [] })).status).toBe(404)
})

test('the shipped ones cannot be changed', async () => {
  expect((await ask('PATCH', '/pipelines/assistant', { name: 'Mine' })).status).toBeGreaterThanOrEqual(400)
  const { data } = await ask('GET', '/pipelines')
  expect((data['pipelines'] as { uuid: string }[]).map(({ uuid }) => uuid)).toEqual(['assistant', 'tasks'])
})

test('what an administrator wrote into a pipeline is read by those whose bot uses it, and by no key of another bot', async () => {
  await ask('POST', '/pipelines', { uuid: 'secretive', name: 'Secretive', instructions: 'The word is swordfish.' })
  await ask('POST', '/bots', { uuid: 'bot-s', name: 'S', pipeline_uuid: 'secretive' })
  await ask('POST', '/bots', { uuid: 'bot-t', name: 'T' })
  const shown = async (bot: string) => {
    const headers = { 'x-api-key': (await house.addKey('read', bot)).key }
    return (await app.inject({ url: '/api/v1/pipelines', headers })).body
  }
  expect(await shown('bot-s')).toContain('swordfish')
  const others = await shown('bot-t')
  expect(others).toContain('secretive')
  expect(others).not.toContain('swordfish')
})

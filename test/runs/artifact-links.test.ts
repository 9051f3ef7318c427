import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { createSignedLinks } from '../../src/access/signed-links'
import { createArtifactStore } from '../../src/runs/artifact-store'
import { buildApp, buildAppFixture, SECRET } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let id: string
beforeAll(async () => {
  house = await buildAppFixture()
  app = await buildApp(house)
  const file = { name: '猫.png', contentType: 'image/png', content: Buffer.from('a picture') }
  id = (await createArtifactStore(house.database).save({ botUuid: 'bot', runId: uuidv7() }, file)).id
})
afterAll(async () => {
  await app.close()
  await house.close()
})

const links = createSignedLinks({ secretKey: SECRET })

test('a signed link opens its file without a key, as a download', async () => {
  const answer = await app.inject(links.linkTo(id))
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('a picture')
  expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'content-security-policy': 'sandbox' })
})

test('a link of another file, of another key, or whose end was moved opens nothing', async () => {
  const link = new URL(links.linkTo(id), 'http://x')
  const other = links.linkTo(uuidv7())
  const moved = new URL(link)
  moved.searchParams.set('expires', String(Number(link.searchParams.get('expires')) + 1))
  const foreign = createSignedLinks({ secretKey: 'another key of 32 bytes or more..' }).linkTo(id)
  const swapped = link.pathname + other.slice(other.indexOf('?'))
  for (const url of [other, foreign, moved.pathname + moved.search, swapped]) {
    expect((await app.inject(url)).statusCode).toBe(404)
  }
  expect((await app.inject(link.pathname)).statusCode).toBe(400)
})

test('a link ends', async () => {
  jest.useFakeTimers({ now: Date.now() - 8 * 24 * 60 * 60_000, doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] })
  const old = links.linkTo(id)
  jest.useRealTimers()
  expect((await app.inject(old)).statusCode).toBe(404)
})

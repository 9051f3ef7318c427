import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createUserStore } from '../../src/store/user-store'
import { buildApp, buildHouse } from './support'
import type { House } from './support'

let house: House
let app: FastifyInstance
let userId: string

beforeAll(async () => {
  house = await buildHouse()
  userId = await house.addUser('mia', '对的密码 with spaces')
})
afterAll(() => house.close())
// A fresh app a test: the limits begin anew.
beforeEach(async () => void (app = await buildApp(house)))
afterEach(() => app.close())

const login = (payload: object, remoteAddress = '10.0.0.1') =>
  app.inject({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress })

async function makeLink(expiresInMs: number): Promise<string> {
  const token = randomBytes(16).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const expiresAt = new Date(Date.now() + expiresInMs)
  await createUserStore(house.database.prisma).addSignInToken({ tokenHash, userId, expiresAt })
  return token
}

test('name and password give a token for twelve hours that works', async () => {
  const answer = await login({ username: 'mia', password: '对的密码 with spaces' })
  expect(answer.statusCode).toBe(200)
  const { data } = answer.json<{ data: { token: string; expires_at: string; user: object } }>()
  expect(data).toMatchObject({ token_type: 'Bearer', user: { id: userId, username: 'mia', role: 'admin' } })
  const hours = (Date.parse(data.expires_at) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(11.9)
  const claims = app.jwt.decode<{ exp: number; iat: number }>(data.token)
  expect(claims && claims.exp - claims.iat).toBe(12 * 3_600)
  const bots = await app.inject({ url: '/api/v1/bots', headers: { authorization: `Bearer ${data.token}` } })
  expect(bots.statusCode).toBe(200)
})

test('a wrong password and an unknown name are answered alike', async () => {
  const wrong = await login({ username: 'mia', password: 'nope' })
  const unknown = await login({ username: 'nobody', password: 'nope' })
  expect(wrong.statusCode).toBe(401)
  expect(unknown.statusCode).toBe(401)
  expect(wrong.json()).toEqual(unknown.json())
})

test('a sign-in link works once', async () => {
  const token = await makeLink(60_000)
  const answers = await Promise.all(Array.from({ length: 5 }, () => login({ token })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401, 401])
})

test('a sign-in link that is too old or invented does not work', async () => {
  expect((await login({ token: await makeLink(-1_000) })).statusCode).toBe(401)
  expect((await login({ token: 'invented' })).statusCode).toBe(401)
})

test('tries for one name are limited, from wherever they come', async () => {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    statuses.push((await login({ username: 'target', password: 'guess' }, `10.0.1.${attempt}`)).statusCode)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
  expect((await login({ username: 'mia', password: '对的密码 with spaces' })).statusCode).toBe(200)
})

test('tries from one address are limited, whatever the name', async () => {
  for (let attempt = 0; attempt < 30; attempt++) await login({ username: `name-${attempt}`, password: 'guess' })
  const answer = await login({ username: 'mia', password: '对的密码 with spaces' })
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.json()).toMatchObject({ code: 429, error: { code: 'too_many_logins' } })
  expect((await login({ username: 'mia', password: '对的密码 with spaces' }, '10.9.9.9')).statusCode).toBe(200)
})

test.each([{}, { username: 'mia' }, { password: 'x' }, { username: '', password: '' }, { token: 5 }, []])(
  'a body that is neither is refused: %j',
  async (payload) => {
    const answer = await login(payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: { code: 'validation_failed' } })
  },
)

test('someone who was disabled is out at once', async () => {
  const id = await house.addUser('gone', 'password')
  const { data } = (await login({ username: 'gone', password: 'password' })).json<{ data: { token: string } }>()
  await house.database.prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })
  const headers = { authorization: `Bearer ${data.token}` }
  expect((await app.inject({ url: '/api/v1/bots', headers })).statusCode).toBe(401)
  expect((await login({ username: 'gone', password: 'password' })).statusCode).toBe(401)
})

import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createUserStore } from '../../src/access/user-store'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let userId: string

beforeAll(async () => {
  house = await buildAppFixture()
  userId = await house.addUser('mia', '对的密码 with spaces')
})
afterAll(() => house.close())
// A fresh app a test: the limits begin anew.
beforeEach(async () => void (app = await buildApp(house)))
afterEach(() => app.close())

const login = (payload: object, remoteAddress = '10.0.0.1') =>
  app.inject({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress })

async function makeLink(validMs: number): Promise<string> {
  const token = randomBytes(16).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  await createUserStore(house.database.prisma).addSignInToken({ tokenHash, userId, validMs })
  return token
}

const TIMERS = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
]

test.each([2, -2])('a process whose clock is %i hours wrong takes and refuses the same links', async (hours) => {
  const users = createUserStore(house.database.prisma)
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
  const [good, over] = [await makeLink(60_000), await makeLink(-60_000)]
  jest.useFakeTimers({ now: Date.now() + hours * 3_600_000, doNotFake: [...TIMERS] })
  try {
    expect(await users.useSignInToken(hashOf(over))).toBeNull()
    expect(await users.useSignInToken(hashOf(good))).toBe(userId)
    expect(await users.useSignInToken(hashOf(await makeLink(60_000)))).toBe(userId)
  } finally {
    jest.useRealTimers()
  }
})

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

test('tries for one name from one address are limited, and keep nobody else out', async () => {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    statuses.push((await login({ username: 'mia', password: 'guess' }, '10.0.1.1')).statusCode)
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
  expect((await login({ username: 'mia', password: '对的密码 with spaces' })).statusCode).toBe(200)
})

test('tries for one name from many addresses are limited in the end', async () => {
  const tries = Array.from({ length: 101 }, (_, attempt) => `10.0.${attempt}.1`)
  const statuses: number[] = []
  for (const address of tries) {
    statuses.push((await login({ username: 'target', password: 'guess' }, address)).statusCode)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})

test('behind a proxy that is trusted the limit counts people, not the proxy', async () => {
  const behind = await buildApp(house, { trustedProxies: ['10.0.0.0/8'] })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const tryAs = async (address: string, name: string) =>
    (
      await behind.inject({
        ...{ method: 'POST', url: '/api/v1/auth/login', remoteAddress: '10.0.0.1', headers: from(address) },
        payload: { username: name, password: 'guess' },
      })
    ).statusCode
  for (let attempt = 0; attempt < 30; attempt++) await tryAs('203.0.113.1', `name-${attempt}`)
  expect(await tryAs('203.0.113.1', 'mia')).toBe(429)
  expect(await tryAs('203.0.113.2', 'mia')).toBe(401)
  await behind.close()
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

import { Writable } from 'node:stream'
import pino from 'pino'
import type { Session } from '../../src/conversation/session'
import { safeLogging } from '../../src/http/logging'
import { openPostgres } from '../journeys/private-services'
import type { PrivateService } from '../journeys/private-services'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { countByStatus, mapLimited, schedule } from './reminder-fixture'

let postgres: PrivateService
let product: Product

beforeAll(async () => {
  postgres = await openPostgres()
  product = await buildProduct({ DATABASE_URL: postgres.address })
}, 120_000)
afterAll(async () => {
  await product.close()
  await postgres.stop()
}, 60_000)

test('with PostgreSQL away every promise is refused as not stored, and none was made when it is back', async () => {
  const session = await product.session()
  expect(await schedule(product, session, { sendAt: 'in 1 hour' })).toMatchObject({ ok: true })
  const lines: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) })
  const logging = { ...product, parts: await product.another({}, pino(safeLogging('info'), sink)) }
  postgres.kill()
  const refused = await mapLimited(200, () => schedule(product, session, { sendAt: 'in 2 hours' }))
  expect(refused.filter(({ ok }) => ok)).toEqual([])
  expect(new Set(refused.map((outcome) => (outcome.ok ? 'ok' : outcome.code)))).toEqual(new Set(['storage_failed']))
  await saysWhy(logging, session, lines)

  await postgres.stop()
  await postgres.start()
  const { pool } = product.parts.database
  const after = await eventually(() => countByStatus(pool).catch(() => undefined))
  expect(after).toEqual({ pending: 1 })
  expect(await schedule(product, session, { sendAt: 'in 3 hours' })).toMatchObject({ ok: true })
}, 120_000)

/** Whoever runs it reads in the log what the person is not told: the database's own code, and no word of anybody. */
async function saysWhy(logging: Product, session: Session, lines: readonly string[]): Promise<void> {
  const wish = { sendAt: 'in 2 hours', messageText: 'canary-what-a-person-wrote' }
  expect(await schedule(logging, session, wish)).toMatchObject({ ok: false, code: 'storage_failed' })
  const told = lines
    .map((line) => JSON.parse(line) as { code?: string; msg: string })
    .filter(({ msg }) => msg === 'a promise was not stored')
  expect(told).toMatchObject([{ code: 'ECONNREFUSED', level: 50 }])
  expect(lines.join('')).not.toContain('canary')
  // Messages of the driver name hosts, and may repeat what they were given.
  expect(lines.join('')).not.toContain('connect ECONNREFUSED')
}

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
  postgres.kill()
  const refused = await mapLimited(200, () => schedule(product, session, { sendAt: 'in 2 hours' }))
  expect(refused.filter(({ ok }) => ok)).toEqual([])
  expect(new Set(refused.map((outcome) => (outcome.ok ? 'ok' : outcome.code)))).toEqual(new Set(['storage_failed']))

  await postgres.stop()
  await postgres.start()
  const { pool } = product.parts.database
  const after = await eventually(() => countByStatus(pool).catch(() => undefined))
  expect(after).toEqual({ pending: 1 })
  expect(await schedule(product, session, { sendAt: 'in 3 hours' })).toMatchObject({ ok: true })
}, 120_000)

import { setTimeout as sleep } from 'node:timers/promises'
import type { Product as Parts } from '../../src/build/product'
import type { Session } from '../../src/conversation/session'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { findContradictions, mapLimited, promise, schedule, WITHOUT_TEMPORAL } from './reminder-fixture'

const PAIRS = 100
const GAP_MS = 20
const JITTER_MS = 50

let product: Product
let otherWorker: Parts

beforeAll(async () => {
  product = await buildProduct(WITHOUT_TEMPORAL)
  otherWorker = await product.another()
}, 60_000)
afterAll(() => product.close())

const at = (time: number) => sleep(Math.max(0, time - Date.now()))
const openSessions = () => Promise.all(Array.from({ length: PAIRS }, () => product.session()))

async function replace(session: Session): Promise<{ id: string; cancelledIds: string[] }> {
  const outcome = await schedule(product, session, { sendAt: 'in 1 hour', replaceExisting: true })
  if (!outcome.ok) throw new Error(outcome.code)
  return { id: outcome.message.id, cancelledIds: outcome.cancelledIds }
}

async function idsByStatus({ sessionKey }: Session): Promise<Record<string, string[]>> {
  const { rows } = await product.parts.database.pool.query<{ status: string; ids: string[] }>(
    `SELECT status, array_agg(id::text ORDER BY id) AS ids FROM scheduled_messages WHERE session_id = $1 GROUP BY status`,
    [sessionKey],
  )
  return Object.fromEntries(rows.map(({ status, ids }) => [status, ids]))
}

test(`of ${PAIRS} messages replaced at their due time those that are answered as cancelled are the ones not sent`, async () => {
  const sessions = await openSessions()
  const base = Date.now() + 8_000
  const dueMs = (index: number) => base + index * GAP_MS
  const old = await mapLimited(PAIRS, (index) => promise(product, sessions[index]!, new Date(dueMs(index))))
  const replaced = await Promise.all(
    sessions.map(async (session, index) => {
      const deliver = async () => {
        await at(dueMs(index))
        await otherWorker.stores.scheduledMessages.deliverOnWeb(old[index]!.id)
      }
      const change = async () => {
        await at(dueMs(index) + JITTER_MS * (2 * Math.random() - 1))
        return replace(session)
      }
      const [outcome] = await Promise.all([change(), deliver()])
      return outcome
    }),
  )
  for (const [index, session] of sessions.entries()) {
    const { id, cancelledIds } = replaced[index]!
    const { pending, cancelled = [], sent = [] } = await idsByStatus(session)
    expect(pending).toEqual([id])
    expect(cancelledIds).toEqual(cancelled)
    expect([...cancelled, ...sent]).toEqual([old[index]!.id])
  }
  expect(await findContradictions(product.parts.database.pool)).toEqual({})
}, 120_000)

test(`of two replacements at once one remains, and each answers exactly what it cancelled (${PAIRS} pairs)`, async () => {
  const sessions = await openSessions()
  const first = await Promise.all(
    sessions.map((session) => promise(product, session, new Date(Date.now() + 3_600_000))),
  )
  const pairs = await Promise.all(sessions.map((session) => Promise.all([replace(session), replace(session)])))
  for (const [index, session] of sessions.entries()) {
    const pair = pairs[index]!
    const { pending, cancelled, sent } = await idsByStatus(session)
    const answered = pair.flatMap(({ cancelledIds }) => cancelledIds)
    expect(sent).toBeUndefined()
    expect(answered.toSorted()).toEqual(cancelled)
    expect([...(pending ?? []), ...(cancelled ?? [])].toSorted()).toEqual(
      [first[index]!.id, ...pair.map(({ id }) => id)].toSorted(),
    )
    expect(pending).toHaveLength(1)
  }
  expect(await findContradictions(product.parts.database.pool)).toEqual({})
}, 120_000)

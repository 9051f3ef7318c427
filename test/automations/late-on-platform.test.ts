import { eventually } from '../support/eventually'
import { startLedger } from '../support/ledger'
import type { Ledger } from '../support/ledger'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
let ledger: Ledger
beforeAll(async () => {
  ledger = await startLedger()
  world = await buildWorld(() => says('the oven is off'), { TRUSTED_EGRESS_HOSTS: ledger.host })
  const { parts, botUuid } = world.product
  await parts.botPlatforms.set(ADMIN, botUuid, 'webhook', { url: ledger.url, secret: ledger.secret })
  await world.product.startWorker()
}, 120_000)
afterAll(async () => {
  await world.close()
  await ledger.close()
})

const sql = (text: string, values: unknown[]) => world.product.parts.database.pool.query(text, values)

async function arrivedAfter(lateMs: number): Promise<string | null> {
  const { parts, botUuid } = world.product
  const session = await parts.sessions.resolve(ADMIN, { botUuid, channel: 'webhook', launcherId: `mia-${lateMs}` })
  const id = await world.add(session, { at: 'in 2 hours' })
  const slot = new Date(Math.floor(Date.now() / 1_000) * 1_000 - lateMs)
  const workflowId = `automation-run/${id}-late`
  await parts.automationSlots.queue({ automationId: id, slot, startedAt: new Date(), workflowId })
  await sql(`UPDATE automation_runs SET queued_at = now() - interval '5 minutes' WHERE automation_id = $1`, [id])
  await parts.reconcile()
  const arrived = async () => (await ledger.entries()).find(({ sessionKey }) => sessionKey === session.sessionKey)
  return (await eventually(arrived, 40_000)).text
}

test('an answer of an automation that ran late says so where the trigger is not seen', async () => {
  expect(await arrivedAfter(5 * 60_000)).toMatch(/^the oven is off\n\(\d minutes late\)$/)
}, 60_000)

test('an answer of an automation that ran in time says nothing of it', async () => {
  expect(await arrivedAfter(10_000)).toBe('the oven is off')
}, 60_000)

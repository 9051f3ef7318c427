import { automationScheduleId } from '../../src/automations/contract'
import { eventually } from '../support/eventually'
import { expectDeliveriesKept, expectRemindersKept, expectRunsKept } from './kept'
import { startUpgraded } from './upgraded'
import type { Upgraded } from './upgraded'

// Only the database of the old installation is left.
let upgraded: Upgraded
beforeAll(async () => {
  upgraded = await startUpgraded({ recording: 'server-1.32', withTemporal: false })
}, 300_000)
afterAll(() => upgraded?.close(), 60_000)

test('private messages that were due are sent once, late, and say so', () => expectRemindersKept(upgraded), 240_000)
test('what waited for its platform arrives once', () => expectDeliveriesKept(upgraded), 240_000)
test('delayed feedback is given once', () => expectRunsKept(upgraded), 240_000)

test('automations that are there have their schedules again, and those that were removed have none', async () => {
  const { temporal, made } = upgraded
  const { every, cron, paused, imported, removed } = made.automations
  const isPaused = async (id: string) =>
    (await temporal.schedule.getHandle(automationScheduleId(id)).describe()).state.paused
  const paces = () => Promise.all([every, cron, imported, paused].map(isPaused)).catch(() => undefined)
  expect(await eventually(paces, 60_000, 500)).toEqual([false, false, false, true])
  await expect(isPaused(removed)).rejects.toThrow()
}, 90_000)

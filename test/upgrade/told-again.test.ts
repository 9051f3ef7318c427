import fs from 'node:fs'
import path from 'node:path'
import { startUpgraded } from './upgraded'
import type { Upgraded } from './upgraded'
import {
  expectAutomationsKept,
  expectDeliveriesKept,
  expectMemoryKept,
  expectRemindersKept,
  expectRunsKept,
} from './kept'

// An installation whose Temporal was of server 1.29: the file of that server cannot be read by the one that comes now.
let upgraded: Upgraded
const startedAt = new Date()
beforeAll(async () => {
  upgraded = await startUpgraded({ recording: 'server-1.29' })
}, 300_000)
afterAll(() => upgraded?.close(), 60_000)

test('a Temporal that cannot read what the one before wrote begins anew, and what was there is kept aside', () => {
  const files = fs.readdirSync(path.join(upgraded.dataDir, 'temporal'))
  expect(files.filter((name) => name.startsWith('temporal.db.before-'))).not.toEqual([])
  expect(upgraded.output()).toContain('all pending promises are told again')
})

test('people, keys, tasks and histories are as they were', () => expectMemoryKept(upgraded), 120_000)
test('private messages that were due are sent once, late, and say so', () => expectRemindersKept(upgraded), 240_000)
test('what waited for its platform arrives once', () => expectDeliveriesKept(upgraded), 240_000)
test('delayed feedback is given once', () => expectRunsKept(upgraded), 240_000)
test('automations keep their schedules', () => expectAutomationsKept(upgraded, startedAt), 240_000)

test('each promise has one workflow in the new Temporal', async () => {
  const { temporal, made } = upgraded
  for (const { workflowId } of made.openWorkflows) {
    let executions = 0
    for await (const each of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
      executions += each ? 1 : 0
    expect(executions).toBeLessThanOrEqual(1)
  }
}, 60_000)

import { eventually } from '../support/eventually'
import { startUpgraded } from './upgraded'
import type { Upgraded } from './upgraded'
import {
  expectAutomationsKept,
  expectDeliveriesKept,
  expectMemoryKept,
  expectRemindersKept,
  expectRunsKept,
} from './kept'

// An installation whose Temporal was of the same server as now, as with a cluster: its workflows are still under way.
let upgraded: Upgraded
const startedAt = new Date()
beforeAll(async () => {
  upgraded = await startUpgraded({ recording: 'server-1.32' })
}, 300_000)
afterAll(() => upgraded?.close(), 60_000)

test('people, keys, tasks and histories are as they were', () => expectMemoryKept(upgraded), 120_000)
test('private messages that were due are sent once, late, and say so', () => expectRemindersKept(upgraded), 240_000)
test('what waited for its platform arrives once', () => expectDeliveriesKept(upgraded), 240_000)
test('delayed feedback is given once', () => expectRunsKept(upgraded), 240_000)
test('automations keep their schedules', () => expectAutomationsKept(upgraded, startedAt), 240_000)

test('the workflows of the old version are gone on with; none is started a second time', async () => {
  const { temporal, made } = upgraded
  for (const { workflowId, runId } of made.openWorkflows) {
    const executions: string[] = []
    for await (const each of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
      executions.push(each.runId)
    expect({ workflowId, executions }).toEqual({ workflowId, executions: [runId] })
  }
}, 60_000)

test('no workflow of the old version is stuck', async () => {
  const isOver = async () => {
    const states = await Promise.all(
      upgraded.made.openWorkflows.map(async ({ workflowId }) => {
        const { status, searchAttributes } = await upgraded.temporal.workflow.getHandle(workflowId).describe()
        const due = searchAttributes['PunctualDueAt']?.[0]
        const isLater = due instanceof Date && due.getTime() > Date.now()
        return status.name !== 'RUNNING' || isLater
      }),
    )
    return states.every(Boolean)
  }
  await eventually(isOver, 90_000, 1_000)
}, 120_000)

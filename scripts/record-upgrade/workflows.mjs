import fs from 'node:fs'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'

const PROMISES = [
  'scheduledMessageWorkflow',
  'runWorkflow',
  'deliveryWorkflow',
  'inboundWorkflow',
  'automationRunWorkflow',
]

/** Which workflows are under way, by the ids of their promises and of their executions. */
export async function listOpenWorkflows({ dataDir }) {
  const { temporalPort } = JSON.parse(fs.readFileSync(path.join(dataDir, 'instance.json'), 'utf8'))
  const connection = await Connection.connect({ address: `127.0.0.1:${temporalPort}` })
  try {
    const open = []
    const query = `ExecutionStatus = 'Running' AND WorkflowType IN (${PROMISES.map((name) => `'${name}'`).join(', ')})`
    for await (const { workflowId, runId } of new Client({ connection }).workflow.list({ query })) {
      open.push({ workflowId, runId })
    }
    return open.sort((one, other) => one.workflowId.localeCompare(other.workflowId))
  } finally {
    await connection.close()
  }
}

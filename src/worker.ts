import { readConfig } from './config'
import { createDependencies } from './dependencies'
import { serveMetrics } from './metrics-server'
import { runUntilStopped, tellParent } from './process-life'
import { startWorker } from './scheduling/start-worker'
import { workflowBundle } from './workflow-bundle'
import { createActivities } from '../activities'

/** The worker: settings → dependencies → activities → Temporal worker → drain. */
async function main(): Promise<void> {
  const config = readConfig()
  const parts = await createDependencies(config)
  const { stores, logger, scheduler, dispatcher } = parts
  const activities = createActivities({ ...parts, messages: stores.scheduledMessages })
  const worker = await startWorker({
    ...{ config: config.temporal, activities, bundle: await workflowBundle(), logger },
    ...{ scheduler, messages: stores.scheduledMessages, outbox: stores.outbox, dispatcher },
  })
  const connections = parts.keepConnections()
  const port = config.workerMetricsPort
  const figures = port === undefined ? undefined : await serveMetrics(parts.processMetrics, { host: config.host, port })
  runUntilStopped(logger, async () => {
    await connections.stop()
    await worker.stop()
    await figures?.close()
    await parts.close()
  })
  tellParent({ type: 'ready' })
  await worker.ended
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`The worker cannot go on: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}

import { createProduct } from './build/product'
import { startProductWorker } from './build/worker'
import { takeSettingsFromParent } from './embedded/parent-settings'
import { readConfig } from './config'
import { runUntilStopped, tellParent } from './engine/process-life'
import { workflowBundle } from './engine/temporal/workflow-bundle'
import { serveMetrics } from './metrics'
import { messageOf } from './errors'

/** The worker: settings → product → Temporal worker → drain. */
async function main(): Promise<void> {
  await takeSettingsFromParent()
  const config = readConfig()
  const product = await createProduct(config)
  const worker = await startProductWorker(product, { bundle: await workflowBundle() })
  void product.spool.drain()
  const connections = product.startConnections()
  const port = config.workerMetricsPort
  const figures =
    port === undefined ? undefined : await serveMetrics(product.processMetrics, { host: config.host, port })
  runUntilStopped({ logger: product.logger, drainMs: config.drainMs }, async () => {
    await connections.stop()
    await worker.stop()
    await figures?.close()
    await product.close()
  })
  tellParent({ type: 'ready' })
  await worker.ended
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`The worker cannot go on: ${messageOf(error)}\n`)
    process.exit(1)
  })
}

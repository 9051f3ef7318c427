import { ensureAdministrator, ensureJwtSecret } from './access'
import { readConfig } from './config'
import { createHttp, httpPartsOf } from './build/http'
import { createProduct } from './build/product'
import { takeSettingsFromParent } from './embedded/parent-settings'
import { runUntilStopped, tellParent } from './engine/process-life'
import { messageOf } from './errors'

/** The front door: settings → product → app → listen → drain. */
async function main(): Promise<void> {
  await takeSettingsFromParent()
  const config = readConfig()
  const product = await createProduct(config)
  const jwtSecret = await ensureJwtSecret(config)
  if (config.databaseUrl) await ensureAdministrator({ databaseUrl: config.databaseUrl, config })
  const app = await createHttp(httpPartsOf(product), { ...config, jwtSecret, logger: product.logger })
  const url = await app.listen({ host: config.host, port: config.port })
  product.dispatcher.kick()
  void product.spool.drain()
  runUntilStopped({ logger: product.logger, drainMs: config.drainMs }, async () => {
    await app.close()
    await product.close()
  })
  tellParent({ type: 'ready', url })
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`The front door cannot start: ${messageOf(error)}\n`)
    process.exit(1)
  })
}

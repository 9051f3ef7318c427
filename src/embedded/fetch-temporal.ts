import { readConfig } from '../config'
import { say } from './say'
import { findTemporalBinary } from './temporal-binary'

/** A program of its own for the set-up, so that the download runs beside the build. */
async function main(): Promise<void> {
  await findTemporalBinary({ cacheDir: readConfig().embedded.cacheDir, env: process.env, say })
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})

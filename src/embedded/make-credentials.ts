import { ensureFirstCredentials } from '../access'
import { readConfig } from '../config'

/** A program of its own, for the first start only: what makes a password would stay in the memory of `npm start`. */
async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  const baseUrl = process.argv[2]
  if (databaseUrl === undefined || baseUrl === undefined) throw new Error('usage: make-credentials.js BASE_URL')
  const credentials = await ensureFirstCredentials({ databaseUrl, config, baseUrl })
  process.send?.(credentials, () => process.exit(0))
}

main().catch((error: unknown) => {
  process.stderr.write(`The first credentials could not be made: ${String(error)}\n`)
  process.exit(1)
})

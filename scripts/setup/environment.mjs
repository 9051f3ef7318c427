import { existsSync } from 'node:fs'
import { inRoot } from './files.mjs'

/** Settings from `.env` in the project root; what the real environment says wins. */
export function loadEnvironment() {
  const file = inRoot('.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

#!/usr/bin/env node
// npm test: sets itself up, then runs jest with whatever arguments were given.
import { ensureReady } from './setup.mjs'
import { inRoot } from './setup/files.mjs'
import { runScript } from './setup/progress.mjs'

await runScript(async () => {
  await ensureReady({ build: false })
  process.env.NODE_ENV ??= 'test'
  process.argv = [process.execPath, inRoot('node_modules/jest/bin/jest.js'), '--maxWorkers=2', ...process.argv.slice(2)]
  process.chdir(inRoot())
  await import('../node_modules/jest/bin/jest.js')
})

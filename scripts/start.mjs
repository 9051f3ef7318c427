#!/usr/bin/env node
// npm start: everything on this machine.
import { ensureReady } from './setup.mjs'
import { loadEnvironment } from './setup/environment.mjs'
import { runScript } from './setup/progress.mjs'
import { runCompiled } from './setup/run-compiled.mjs'

await runScript(async () => {
  await ensureReady({ build: true })
  loadEnvironment()
  runCompiled('src/main.js', process.argv.slice(2))
})

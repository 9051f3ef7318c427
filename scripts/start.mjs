#!/usr/bin/env node
// npm start: everything on this machine.
import { ensureReady } from './setup.mjs'
import { loadEnvironment } from './setup/environment.mjs'
import { runScript } from './setup/progress.mjs'
import { runCompiled } from './setup/run-compiled.mjs'

await runScript(async () => {
  loadEnvironment()
  // Who presses Ctrl-C waits for it. Work that is cut off is taken up by the next start.
  process.env.PUNCTUAL_DRAIN_MS ??= '1200'
  await ensureReady({ build: true, temporal: true })
  runCompiled('src/main.js', process.argv.slice(2))
})

#!/usr/bin/env node
// npm run build: packages, generated client, dist and the workflow bundle.
import { ensureReady } from './setup.mjs'
import { runScript } from './setup/progress.mjs'

await runScript(() => ensureReady({ build: true }))

#!/usr/bin/env node
// Installs, generates and builds what is missing: prepare.mjs [--build] [--temporal]
import { parseArgs } from 'node:util'
import { install, isInstalled } from './install.mjs'
import { inRoot } from './files.mjs'
import { withSetupLock } from './lock.mjs'
import { runCommand, runScript } from './progress.mjs'

const { values } = parseArgs({ options: { build: { type: 'boolean' }, temporal: { type: 'boolean' } } })

await runScript(() =>
  withSetupLock(async () => {
    // The steps load their compilers from the packages, so they come after them.
    if (!isInstalled({ withTools: true })) await install()
    const { meetGoals } = await import('./goals.mjs')
    await meetGoals({ build: values.build === true, onCompiled: values.temporal ? fetchTemporal : () => undefined })
  }),
)

/** The server's download need not wait for the build. Where one is given or found, this takes no time. */
async function fetchTemporal() {
  if (process.env['TEMPORAL_ADDRESS']) return
  await runCommand(process.execPath, [inRoot('dist', 'src', 'embedded', 'fetch-temporal.js')])
}

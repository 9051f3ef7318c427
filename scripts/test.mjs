#!/usr/bin/env node
// npm test: sets itself up, then runs jest with whatever arguments were given.
import { ensureReady } from './setup.mjs'
import { findBrowser } from './setup/browser.mjs'
import { inRoot } from './setup/files.mjs'
import { runScript, say } from './setup/progress.mjs'

await runScript(async () => {
  await ensureReady({ build: false })
  process.env.NODE_ENV ??= 'test'
  const browser = findBrowser()
  if (browser) process.env.PUNCTUAL_TEST_BROWSER = browser
  else
    say(
      'NO BROWSER: the tests of the page are skipped. "node scripts/browser.mjs" brings one; PUNCTUAL_TEST_BROWSER names one.',
    )
  process.argv = [process.execPath, inRoot('node_modules/jest/bin/jest.js'), ...process.argv.slice(2)]
  process.chdir(inRoot())
  await import('../node_modules/jest/bin/jest.js')
})

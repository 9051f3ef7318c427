#!/usr/bin/env node
// Brings a browser for the tests of the page where there is none; npm test uses what it finds.
import { ensureBrowser } from './setup/browser.mjs'
import { runScript, say } from './setup/progress.mjs'

await runScript(async () => {
  const browser = await ensureBrowser()
  say(browser ? `the page is tested with ${browser}` : 'NO BROWSER: the page is not tested here')
})

#!/usr/bin/env node
// npm run screenshots: the pictures of the README, taken from a Punctual that is running (npm start) with a fresh conversation.
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { ensureBrowser } from './setup/browser.mjs'
import { inRoot } from './setup/files.mjs'
import { SetupError, runScript, say } from './setup/progress.mjs'

const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const dataDir = process.env['PUNCTUAL_DATA_DIR'] ?? inRoot('.punctual')
const SAID = [
  'remind me in 25 minutes to call the dentist',
  'every weekday at 9:00 remind me to stand up',
  'draw a cat and tell me in 15 seconds',
  'remind me in 12 seconds to drink water',
]

await runScript(async () => {
  const executablePath = await ensureBrowser()
  if (!executablePath) throw new SetupError('there is no browser to take pictures with')
  const { username, password } = JSON.parse(readFileSync(`${dataDir}/credentials.json`, 'utf8'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const viewport = { width: 1280, height: 760 }
  const page = await browser.newPage({ viewport, locale: 'en-GB', colorScheme: 'light' })
  await page.goto(url)
  await page.getByLabel('User').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  for (const [index, text] of SAID.entries()) {
    await page.fill('#say', text)
    await page.press('#say', 'Enter')
    await page.locator('.message.theirs[data-id]').nth(index).waitFor()
  }
  await page.locator('.from-plugin_feedback img').waitFor({ timeout: 60_000 })
  await page.locator('.card.promise[data-state=sent]').waitFor({ timeout: 60_000 })
  await page.evaluate('document.activeElement.blur()')
  await save(page, 'page.png')
  await browser.close()
})

async function save(page, name) {
  await page.screenshot({ path: inRoot('docs', name) })
  say(`docs/${name}`)
}

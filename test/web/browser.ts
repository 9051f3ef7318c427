import axe from 'axe-core'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** `npm test` finds a browser and names it here; where there is none it says so, and these tests are skipped. */
const executablePath = process.env['PUNCTUAL_TEST_BROWSER']
export const describeInBrowser = executablePath ? describe : describe.skip

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: FLAGS })

export interface Visit {
  page: Page
  context: BrowserContext
  /** What the page asked of anyone else, and what went wrong in it. */
  foreign: string[]
  faults: string[]
}

/** Opens the page in a profile of its own. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(20_000)
  return openTab(context, url)
}

export async function openTab(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  const foreign: string[] = []
  const faults: string[] = []
  const home = new URL(url).origin
  page.on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(home) && !asked.startsWith('blob:') && !asked.startsWith('data:')) foreign.push(asked)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  await page.goto(url)
  return { page, context, foreign, faults }
}

interface AxeAnswer {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** What axe finds that keeps people out, with where it is. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeAnswer>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

export const say = async (page: Page, text: string): Promise<void> => {
  await page.fill('#say', text)
  await page.press('#say', 'Enter')
}
/** The messages as a person reads them, without times. */
export const readMessages = (page: Page): Promise<string[]> => page.locator('.message[data-id] .bubble').allInnerTexts()

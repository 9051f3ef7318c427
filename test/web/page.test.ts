import type { Browser } from 'playwright-core'
import { eventually } from '../support/eventually'
import { describeInBrowser, findBarriers, launchBrowser, openTab, readMessages, say, visit } from './browser'
import { buildPageHouse, PASSWORD } from './page-fixture'
import type { PageHouse } from './page-fixture'

describeInBrowser('the page', () => {
  let house: PageHouse
  let browser: Browser

  beforeAll(async () => {
    house = await buildPageHouse()
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  const signedIn = async (options = {}) => {
    const opened = await visit(browser, await house.signInLink(), options)
    await opened.page.waitForSelector('#say')
    return opened
  }
  const newChat = async (options = {}) => {
    const opened = await signedIn(options)
    await opened.page.getByRole('button', { name: 'New conversation' }).first().click()
    return opened
  }

  test('the printed link signs in once and leaves the address; user and password do too; a wrong one is told', async () => {
    const link = await house.signInLink()
    const { page, context } = await visit(browser, link)
    await page.waitForSelector('#say')
    expect(page.url()).toBe(house.url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This sign-in link was used before or is too old').waitFor()
    await page.getByLabel('User').fill('mia')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('The user or the password is wrong.').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#say')
    await context.close()
  })

  test('a reminder counts down, is sent, and the card, the conversation and another tab show it without a reload', async () => {
    const { page, context, foreign, faults } = await newChat()
    await say(page, 'remind me in 6 seconds to drink **water**')
    const card = page.locator('.card.promise').filter({ hasText: 'water' })
    await card.locator('.countdown').waitFor()
    const counted = new Set<string>()
    await eventually(async () => {
      counted.add(
        await card
          .locator('.countdown')
          .innerText({ timeout: 500 })
          .catch(() => 'gone'),
      )
      return counted.size >= 3
    })
    expect([...counted].filter((text) => /^00:0[0-6]$/.test(text)).length).toBeGreaterThanOrEqual(2)
    expect(await card.getByRole('link', { name: /Temporal/ }).getAttribute('href')).toMatch(
      /namespaces\/t\d+\/workflows\/scheduled-message%2F[0-9a-f-]{36}$/,
    )
    const other = await openTab(context, house.url)
    await card.getByText(/Sent at/).waitFor()
    for (const tab of [page, other.page]) {
      const arrived = tab.locator('.from-scheduled_send').filter({ hasText: 'drink water' })
      await arrived.waitFor()
      expect(await arrived.count()).toBe(1)
      expect(await arrived.locator('.source').innerText()).toContain('Reminder')
      // Markdown is shown as such, in what the assistant says and nowhere else.
      expect(await arrived.locator('strong').innerText()).toBe('water')
    }
    expect(await page.locator('.message.mine .bubble').innerText()).toContain('**water**')
    await page.locator('.calls summary').filter({ hasText: 'Scheduled' }).first().click()
    await page.locator('.calls pre').first().waitFor()
    expect([foreign, faults]).toEqual([[], []])
    await page.reload()
    await page.locator('.calls summary').filter({ hasText: 'Scheduled' }).first().waitFor()
    expect(await page.locator('.from-scheduled_send').count()).toBe(1)
    await context.close()
  })

  test('one click cancels, one click takes it back, and the promise is pending again for the same instant', async () => {
    const { page, context } = await newChat()
    await say(page, 'remind me in 20 minutes to stretch')
    const card = page.locator('.card.promise[data-state=pending]').filter({ hasText: 'stretch' })
    const due = await card.locator('time').getAttribute('datetime')
    await card.getByRole('button', { name: /^Cancel/ }).click()
    const cancelled = page.locator('.card.promise[data-state=cancelled]').filter({ hasText: 'stretch' })
    await cancelled.getByText('Cancelled').waitFor()
    const { rows } = await house.product.parts.database.pool.query<{ status: string }>(
      `SELECT status FROM scheduled_messages WHERE message_text LIKE '%stretch%'`,
    )
    expect(rows).toEqual([{ status: 'cancelled' }])
    await cancelled.getByRole('button', { name: /^Undo/ }).click()
    await card.locator('.countdown').waitFor()
    expect(await card.locator('time').getAttribute('datetime')).toBe(due)
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    await context.close()
  })

  test('the language follows the browser and can be switched, with its dates', async () => {
    const { page, context } = await signedIn({ locale: 'zh-CN' })
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await page.getByRole('tab', { name: '任务' }).click()
    await page.getByText(/星期/).first().waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText(/day/).first().waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Promises' }).waitFor()
    await context.close()
  })

  test('the keyboard reaches everything in order, and Shift+Enter starts a new line', async () => {
    const { page, context } = await newChat()
    await page.focus('#say')
    await page.keyboard.type('one')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('two')
    expect(await page.inputValue('#say')).toBe('one\ntwo')
    await page.keyboard.press('Escape')
    expect(await page.inputValue('#say')).toBe('')
    await page.reload()
    await page.waitForSelector('#say')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe('Skip to the message box')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
    await page.getByRole('tab', { name: 'Promises' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator(':focus').innerText()).toContain('Tasks')
    await context.close()
  })

  test('nothing keeps people out, in light and dark, wide and narrow, and 360 px need no sideways scrolling', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context, faults } = await newChat({ colorScheme })
      await say(page, 'remind me in 30 minutes to breathe')
      await page.locator('.card.promise .countdown').waitFor()
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 740 })
        for (const room of width === 360
          ? ['Chats', 'Talk', 'Promises', 'Tasks', '24 h']
          : ['Tasks', '24 h', 'Promises']) {
          await page.getByRole(width === 360 ? 'button' : 'tab', { name: room, exact: true }).click()
          const tooWide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
          expect([room, width, tooWide]).toEqual([room, width, 0])
          expect(await findBarriers(page)).toEqual([])
        }
      }
      expect(faults).toEqual([])
      await context.close()
    }
  })

  test('a lost front door is told, and after it is back nothing is missing and nothing is there twice', async () => {
    const { page, context } = await newChat()
    await say(page, 'remind me in 4 seconds to look up')
    await eventually(async () => (await readMessages(page)).length === 2)
    const before = await readMessages(page)
    await house.killFrontDoor()
    await page.getByText('Connection lost').waitFor()
    // What is said now does not get lost silently: it is not sent, and the person decides.
    await say(page, 'are you there?')
    const { pool } = house.product.parts.database
    await eventually(
      async () =>
        (await pool.query(`SELECT 1 FROM scheduled_messages WHERE message_text LIKE '%look up%' AND status = 'sent'`))
          .rowCount,
    )
    await house.openFrontDoor()
    await page.locator('.from-scheduled_send').filter({ hasText: 'look up' }).waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await eventually(async () => (await readMessages(page)).length === before.length + 3)
    const after = await readMessages(page)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.filter((text) => text === 'are you there?')).toHaveLength(1)
    expect(await page.locator('.card.promise[data-state=sent]').count()).toBe(1)
    await page.reload()
    await page.locator('.message').last().waitFor()
    await eventually(async () => (await readMessages(page)).length === after.length)
    expect(await readMessages(page)).toEqual(after)
    await context.close()
  }, 120_000)
})

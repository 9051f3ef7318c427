import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import type { MessageChain } from '../../src/contracts/message-chain'
import { inTransaction } from '../../src/engine/database'
import { appendEvents, insertMessage, lockSession, messageEvent } from '../../src/engine/session-writes'
import { eventually } from '../support/eventually'
import { describeInBrowser, findBarriers, launchBrowser, readMessages, say, visit } from './browser'
import { buildPageHouse } from './page-fixture'
import type { PageHouse } from './page-fixture'

/** One pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describeInBrowser('conversations on the page', () => {
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

  const newChat = async () => {
    const opened = await visit(browser, await house.signInLink())
    await opened.page.waitForSelector('#say')
    await opened.page.getByRole('button', { name: 'New conversation' }).first().click()
    return opened
  }

  test('a conversation is named by its first words, renamed by keyboard, and deleted when asked twice', async () => {
    const { page, context } = await newChat()
    await say(page, 'what can you do?')
    const chats = page.locator('.chats')
    await chats.getByRole('button', { name: 'what can you do?' }).waitFor()
    const rename = page.getByRole('button', { name: 'Rename this conversation' })
    await rename.press('Enter')
    await page.keyboard.press('Escape')
    await rename.press('Enter')
    await page.getByLabel('Name of the conversation').fill('Questions')
    await page.keyboard.press('Enter')
    await chats.getByRole('button', { name: 'Questions' }).waitFor()
    const remove = page.getByRole('button', { name: 'Delete this conversation' })
    await remove.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'New conversation' }).first().click()
    expect(await readMessages(page)).toEqual([])
    await chats.getByRole('button', { name: 'Questions' }).click()
    await eventually(async () => (await readMessages(page)).length === 2)
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await eventually(async () => (await chats.getByText('Questions').count()) === 0)
    await context.close()
  })

  test('pictures and files of a message are shown and can be kept, as it comes and after a reload', async () => {
    const { page, context, faults } = await newChat()
    await say(page, 'what can you do?')
    await eventually(async () => (await readMessages(page)).length === 2)
    const { stores, database } = house.product.parts
    const [session] = await stores.sessions.list({ bots: 'all', limit: 1 })
    const owner = { botUuid: session!.botUuid, runId: randomUUID() }
    const picture = await stores.artifacts.save(owner, { name: 'dot.png', contentType: 'image/png', content: DOT })
    const notes = await stores.artifacts.save(owner, {
      ...{ name: 'notes.txt', contentType: 'text/plain', content: Buffer.from('notes') },
    })
    await inTransaction(database.pool, async (db) => {
      await lockSession(db, session!.sessionKey)
      const chain: MessageChain = [
        { type: 'Plain', text: 'See what was made.' },
        { type: 'Image', artifact_id: picture.id, name: 'dot.png' },
        { type: 'File', artifact_id: notes.id, name: 'notes.txt' },
      ]
      const said = { role: 'assistant' as const, senderId: owner.botUuid, content: 'See what was made.', chain }
      const stored = await insertMessage(db, session!, { ...said, sourceKind: 'push' })
      await appendEvents(db, session!.sessionKey, [messageEvent(stored)])
    })
    const message = page.locator('.message').filter({ hasText: 'See what was made.' })
    const look = async () => {
      await message.getByRole('img', { name: 'dot.png' }).waitFor()
      await message.getByRole('link', { name: /notes\.txt/ }).waitFor()
      expect(await message.locator('.artifact').count()).toBe(2)
      expect(await message.getByRole('link', { name: /notes\.txt/ }).getAttribute('download')).toBe('notes.txt')
    }
    await look()
    await page.reload()
    await look()
    expect(faults).toEqual([])
    await context.close()
  })

  test('an automation is shown in words with its next runs, switched off and on, and warns before its conversation goes', async () => {
    const { page, context } = await newChat()
    await say(page, 'every day at 9:00 remind me to water the plants')
    const card = page.locator('.card.automation')
    await card.locator('.countdown').waitFor()
    expect(await card.innerText()).toMatch(/9:00|09:00/)
    expect(await card.getByRole('link', { name: /Temporal/ }).getAttribute('href')).toMatch(/schedules\/automation%2F/)
    const toggle = card.getByRole('switch')
    await toggle.click()
    await card.getByText('Paused').waitFor()
    expect(await toggle.getAttribute('aria-checked')).toBe('false')
    await toggle.click()
    await card.locator('.countdown').waitFor()
    expect(await findBarriers(page)).toEqual([])

    await page.getByRole('button', { name: 'Delete this conversation' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('It still has automations').waitFor()
    const { pool } = house.product.parts.database
    const live = () => pool.query('SELECT 1 FROM automations WHERE deleted_at IS NULL')
    expect((await live()).rowCount).toBe(1)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it with its automations' }).click()
    await page.getByText('The conversation was deleted.').waitFor()
    expect((await live()).rowCount).toBe(0)
    await context.close()
  })

  test('a plan shows its steps, what they depend on and how each stands', async () => {
    const { page, context } = await newChat()
    await say(page, 'hello')
    await eventually(async () => (await readMessages(page)).length === 2)
    const { rows } = await house.product.parts.database.pool.query<{ sessionKey: string }>(
      'SELECT session_key FROM sessions WHERE deleted_at IS NULL ORDER BY created_at DESC LIMIT 1',
    )
    const { sessionKey } = rows[0]!
    const base = { botUuid: house.product.botUuid, timezone: 'UTC', language: 'en' as const, overlays: {} }
    await house.product.parts.runs.start({
      ...{ ...base, sessionKey, origin: 'api' },
      steps: [
        { aiName: 'local__image_draw', draftArgs: { prompt: 'a cat', schedule: 'in 3 seconds' }, reason: 'Draw a cat' },
        { aiName: 'local__image_draw', draftArgs: { prompt: 'a dog' }, dependsOn: [0], reason: 'Draw a dog' },
      ],
    })
    const card = page.locator('.card.run')
    await card.getByText('Plan of 2 steps').waitFor()
    const label = await card.locator('svg.diagram').getAttribute('aria-label')
    expect(label).toContain('step 2: waiting, after step 1')
    await card.locator('.node.reported').nth(1).waitFor({ timeout: 60_000 })
    await page.locator('.from-plugin_feedback img').first().waitFor()
    await context.close()
  }, 120_000)

  test('tasks of the day are shown by segment, clashes are marked, and a click completes one', async () => {
    const { page, context } = await newChat()
    const day = await page.evaluate<string>('new Date(Date.now() + 86400000).toLocaleDateString("sv")')
    const auth = { authorization: `Bearer ${await page.evaluate<string>('localStorage.getItem("punctual.token")')}` }
    const make = (task: object) =>
      context.request.post(`${house.url}api/v1/tasks`, { headers: auth, data: { dueDate: day, ...task } })
    expect((await make({ title: 'Dentist', startTime: '14:00', endTime: '15:00' })).status()).toBe(201)
    expect((await make({ title: 'Buy milk', timeSegment: 'morning' })).status()).toBe(201)
    // The server refuses a clash; one that came in another way is still shown as what it is.
    const { pool } = house.product.parts.database
    await pool.query(
      `INSERT INTO tasks (id, bot_uuid, launcher_type, launcher_id, title, due_date, start_time, end_time, priority, timezone)
       SELECT gen_random_uuid(), bot_uuid, launcher_type, launcher_id, 'Call', due_date, '14:30', '16:00', 'high', timezone
       FROM tasks WHERE title = 'Dentist'`,
    )
    await page.getByRole('tab', { name: 'Tasks' }).click()
    await page.getByRole('button', { name: 'The day after' }).click()
    const afternoon = page.getByRole('region', { name: 'Afternoon' })
    await afternoon.getByText('At the same time as “Call”').waitFor()
    await afternoon.getByText('At the same time as “Dentist”').waitFor()
    await page.getByRole('region', { name: 'Morning' }).getByRole('checkbox', { name: 'Complete “Buy milk”' }).click()
    await page.locator('.task.done').filter({ hasText: 'Buy milk' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  })
})

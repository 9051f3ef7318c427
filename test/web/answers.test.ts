import type { Browser, Page } from 'playwright-core'
import { eventually } from '../support/eventually'
import { calls, callsAll, says, saysSlowly, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { describeInBrowser, findBarriers, launchBrowser, readMessages, say, visit } from './browser'
import { buildPageHouse } from './page-fixture'
import type { PageHouse } from './page-fixture'

const LATER = { send_at: 'in 40 minutes', message_text: 'drink water' }
const PAST = { send_at: 'yesterday at 9:00', message_text: 'look back' }

describeInBrowser('answers on the page', () => {
  let model: ScriptedModel
  let house: PageHouse
  let browser: Browser

  beforeAll(async () => {
    model = await startScriptedModel()
    house = await buildPageHouse({ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0' })
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await house?.close()
    await model?.close()
  })

  const newChat = async (options = {}) => {
    const opened = await visit(browser, await house.signInLink(), options)
    await opened.page.waitForSelector('#say')
    await opened.page
      .getByRole('button', { name: /New conversation|新会话/ })
      .first()
      .click()
    return opened
  }
  const lines = (page: Page) => page.locator('.effects li').allInnerTexts()

  test.each([
    ['en-GB', 'light', /^Reminder created: drink water · .*\d\d:\d\d/, /^Reminder not done: look back · .*time/],
    ['zh-CN', 'dark', /^已创建提醒：drink water · .*\d\d:\d\d/, /^未完成提醒：look back · .*时间/],
  ] as const)('what a turn did is read under its answer: %s, %s', async (locale, colorScheme, created, refused) => {
    const { page, context, faults } = await newChat({ locale, colorScheme })
    model.setScript([
      callsAll([
        { name: 'schedule_private_message', arguments: LATER },
        { name: 'schedule_private_message', arguments: PAST },
      ]),
      says('All of it.'),
    ])
    await say(page, 'please')
    await eventually(async () => (await lines(page)).length === 2)
    const [first, second] = await lines(page)
    expect(first).toMatch(created)
    expect(second).toMatch(refused)
    expect(await findBarriers(page)).toEqual([])
    // The history tells the same as the stream; this row gets what a plugin and a plan leave in one.
    const works = [
      { did: 'created', kind: 'run', id: 'one', due_at: new Date().toISOString(), summary: 'local__image_draw' },
      { did: 'created', kind: 'run', id: 'two', summary: 'local__image_draw, local__own_tool' },
    ]
    await house.product.parts.database.pool.query(
      `UPDATE message_history SET metadata = jsonb_set(metadata, '{effects}', metadata->'effects' || $1::jsonb)
       WHERE id = (SELECT max(id) FROM message_history WHERE message_role = 'assistant')`,
      [JSON.stringify(works)],
    )
    await page.reload()
    await eventually(async () => (await lines(page)).length === 4)
    expect((await lines(page)).slice(0, 2)).toEqual([first, second])
    expect((await lines(page))[2]).toMatch(/(picture drawing|画图) · \d\d:\d\d/)
    expect((await lines(page))[3]).toMatch(/(picture drawing|画图), own tool$/)
    expect((await lines(page)).join()).not.toMatch(/_|scheduled|invalid|\brun\b|\dZ/)
    model.setScript([calls('cancel_scheduled_private_message', {}), says('Gone.')])
    await say(page, 'not any more')
    await eventually(async () => (await lines(page)).length === 5)
    expect((await lines(page))[4]).toMatch(/Reminder cancelled: drink water|已取消提醒：drink water/)
    expect(faults).toEqual([])
    await context.close()
  })

  test.each([
    ['quotes', `${'>'.repeat(6_000)} far down`],
    ['lists', `${'- '.repeat(1_500)}far down`],
  ])('an answer of %s in one another without end is shown as text, and the rest as ever', async (_name, deep) => {
    const { page, context, faults } = await newChat()
    model.setScript([says(deep), says('**and** on')])
    await say(page, 'deep')
    await page.locator('.message.theirs').getByText('far down').waitFor()
    await say(page, 'and?')
    await page.locator('.message.theirs strong').getByText('and').waitFor()
    await page.reload()
    await eventually(async () => (await readMessages(page)).length === 4)
    expect((await readMessages(page))[1]).toContain('far down')
    expect(await page.locator('blockquote, .markdown ul').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('an answer is read piece by piece, and its message takes its place without a gap', async () => {
    const { page, context } = await newChat()
    const pieces = ['One ', 'two ', 'three ', 'four.']
    model.setScript([saysSlowly(pieces, 600)])
    await page.evaluate(`(() => {
      window.seen = []
      const read = () => [...document.querySelectorAll('.message.theirs .bubble')].map((one) => one.innerText.trim()).join('|')
      new MutationObserver(() => { const now = read(); if (window.seen.at(-1) !== now) window.seen.push(now) })
        .observe(document.body, { subtree: true, childList: true, characterData: true })
    })()`)
    await say(page, 'count')
    await page.locator('.message.theirs[data-id]').getByText('One two three four.').waitFor()
    const seen = await page.evaluate<string[]>('window.seen')
    const texts = seen.filter((text) => text.startsWith('One'))
    expect(texts.length).toBeGreaterThanOrEqual(3)
    // From the first piece on each state says at least what the one before it said, and never twice.
    expect(seen.slice(seen.indexOf(texts[0]!))).toEqual([...texts].sort((one, other) => one.length - other.length))
    expect(texts.at(-1)).toBe('One two three four.')
    await context.close()
  })

  test('an answer that was read to its end stays, although the stream of the session does not come', async () => {
    const { page, context } = await newChat()
    await page.route(/\/events(\?|$)/, (route) => route.abort())
    model.setScript([says('I stay.')])
    await say(page, 'hi')
    await page.locator('.message.theirs[data-id]').getByText('I stay.').waitFor()
    expect(await page.locator('.message.writing').count()).toBe(0)
    await context.close()
  })
})

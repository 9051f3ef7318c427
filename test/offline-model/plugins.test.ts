import { startOfflineModel } from '../../src/offline-model'
import type { OfflineModel } from '../../src/offline-model'

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

const WORK = ['image_draw', 'realtime_search', 'github_repo_info', 'html_to_app', 'qq_message_markGroupAsRead']
const TOOLS = [...WORK.map((name) => `local__${name}`), 'run_plan', 'schedule_private_message']
const SYSTEM = 'You are Punctual.\n\nNow: 2026-11-17 09:30:00 +08:00 (星期二)\nLanguage: zh\nPipeline: assistant'

interface Reply {
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

async function complete(messages: object[], tools: string[]): Promise<Reply> {
  const offered = tools.map((name) => ({ type: 'function', function: { name, parameters: {} } }))
  const body = JSON.stringify({
    model: 'any',
    messages: [{ role: 'system', content: SYSTEM }, ...messages],
    tools: offered,
  })
  const answer = await fetch(`${offline.baseUrl}/chat/completions`, { method: 'POST', body })
  const { choices } = (await answer.json()) as { choices: { message: Reply }[] }
  return choices[0]?.message ?? { content: null }
}

/** The call that a sentence leads to, or what is said instead. */
async function ask(text: string, tools = TOOLS): Promise<unknown> {
  const { content, tool_calls: [call] = [] } = await complete([{ role: 'user', content: text }], tools)
  return call ? [call.function.name, JSON.parse(call.function.arguments)] : content
}

/** What is said about the result of the call that a sentence leads to. */
async function hear(text: string, result: object): Promise<string | null> {
  const user = { role: 'user', content: text }
  const first = await complete([user], TOOLS)
  const called = { role: 'assistant', content: null, tool_calls: first.tool_calls }
  const id = first.tool_calls?.[0]?.id
  const told = { role: 'tool', tool_call_id: id, content: JSON.stringify(result) }
  const { content, tool_calls: more } = await complete([user, called, told], TOOLS)
  expect(more).toBeUndefined()
  return content
}

describe('one thing to do', () => {
  it.each<[string, string, object]>([
    ['画一只猫,10秒后告诉我', 'image_draw', { prompt: '一只猫', schedule: '10秒后' }],
    ['畫一隻貓，10秒後告訴我', 'image_draw', { prompt: '一隻貓', schedule: '10秒后' }],
    ['10秒后画一只猫', 'image_draw', { prompt: '一只猫', schedule: '10秒后' }],
    ['请帮我画两张黑猫的图片，明天早上9点发给我', 'image_draw', { prompt: '黑猫', n: 2, schedule: '明天早上9点' }],
    ['画一只猫，再过10秒告诉我', 'image_draw', { prompt: '一只猫', schedule: '再过10秒' }],
    ['生成一张猫的图片，卡通风格', 'image_draw', { prompt: '猫，卡通风格' }],
    ['draw a cat and show me tomorrow at 9am', 'image_draw', { prompt: 'a cat', schedule: 'tomorrow at 9am' }],
    ['please draw a red house in 10 seconds', 'image_draw', { prompt: 'a red house', schedule: 'in 10 seconds' }],
    ['make a picture of the sea', 'image_draw', { prompt: 'the sea' }],
    ['search X and tell me in 10 seconds', 'realtime_search', { query: 'X', schedule: 'in 10 seconds' }],
    ['搜索X，10秒后告诉我', 'realtime_search', { query: 'X', schedule: '10秒后' }],
    ['上网搜一下明天的天气', 'realtime_search', { query: '明天的天气' }],
    ['搜索再生能源', 'realtime_search', { query: '再生能源' }],
    ['search TCP/IP', 'realtime_search', { query: 'TCP/IP' }],
    ['查一下 owner/repo', 'github_repo_info', { repo: 'owner/repo' }],
    ['查一下 vercel/ai，5秒后告诉我', 'github_repo_info', { repo: 'vercel/ai', schedule: '5秒后' }],
    ['看看 https://github.com/fastify/fastify 这个仓库', 'github_repo_info', { repo: 'fastify/fastify' }],
    ['how many stars has vercel/ai?', 'github_repo_info', { repo: 'vercel/ai' }],
    ['做一个计算器应用', 'html_to_app', { description: '做一个计算器应用', app_name: '计算器' }],
    ['make a calculator app', 'html_to_app', { description: 'make a calculator app', app_name: 'calculator' }],
    ['把群 123456789 标记为已读', 'qq_message_markGroupAsRead', { group_id: '123456789' }],
    [
      'mark QQ group 123456789 as read in 5 minutes',
      'qq_message_markGroupAsRead',
      { group_id: '123456789', schedule: 'in 5 minutes' },
    ],
  ])('%s', async (text, name, args) => {
    expect(await ask(text)).toEqual([`local__${name}`, args])
  })

  it.each(['明天9点提醒我画一只猫', '10分钟后告诉我关火', 'remind me in 5 minutes to draw a cat'])(
    '%s is a reminder',
    async (text) => {
      expect(await ask(text)).toMatchObject(['schedule_private_message', {}])
    },
  )

  it('asks what to draw when it was not said', async () => {
    expect(await ask('画一张图')).toBe('要画什么？比如“画一只猫”。')
  })

  it('calls no tool that is not offered', async () => {
    expect(await ask('画一只猫', [])).toMatch(/离线模型/)
    expect(await ask('search X and then draw Y', ['run_plan', 'local__image_draw'])).toMatch(/offline model/)
  })
})

describe('a plan', () => {
  const step = (name: string, draftArgs: object, dependsOn: number[], reason: string) => ({
    aiName: `local__${name}`,
    ...{ draftArgs, dependsOn, reason },
  })

  it.each<[string, object[]]>([
    [
      'search X and then draw Y',
      [step('realtime_search', { query: 'X' }, [], 'search X'), step('image_draw', { prompt: 'Y' }, [0], 'draw Y')],
    ],
    [
      '先搜索月球，再画一张图',
      [step('realtime_search', { query: '月球' }, [], '先搜索月球'), step('image_draw', {}, [0], '画一张图')],
    ],
    [
      '先搜索月球，然後畫一隻貓，10秒后告诉我',
      [
        step('realtime_search', { query: '月球' }, [], '先搜索月球'),
        step('image_draw', { prompt: '一隻貓', schedule: '10秒后' }, [0], '畫一隻貓，10秒后告诉我'),
      ],
    ],
    [
      'search the moon and draw a star',
      [
        step('realtime_search', { query: 'the moon' }, [], 'search the moon'),
        step('image_draw', { prompt: 'a star' }, [], 'draw a star'),
      ],
    ],
  ])('%s', async (text, steps) => {
    expect(await ask(text)).toEqual(['run_plan', { steps }])
  })
})

describe('what is said of a result', () => {
  const scheduled = { run_id: 'r', status: 'scheduled', feedback_at: '2026-11-17T09:30:10+08:00' }
  const failed = (code: string, message: string) => ({
    success: false,
    reason: code,
    hint: message,
    code,
    error: { message },
  })

  it.each<[string, object, string]>([
    [
      '画一只猫,10秒后告诉我',
      { success: true, ...scheduled, phrase: '10 秒后' },
      '好的，已经开始了，10 秒后（2026-11-17 09:30:10）告诉你结果。',
    ],
    [
      'search X and tell me in 10 seconds',
      { success: true, ...scheduled, phrase: 'in 10 s' },
      'All right, it has started. You will hear in 10 s (2026-11-17 09:30:10).',
    ],
    [
      '画一只猫',
      { success: true, run_id: 'r', code: 'OK', data: { summary: '“一只猫”画好了：/f/1' }, error: null },
      '“一只猫”画好了：/f/1',
    ],
    ['search X', { success: true, code: 'OK', data: { n: 1 }, error: null }, '{"n":1}'],
    [
      'search X',
      failed('ERR', 'Search is not set up: set SEARXNG_URL'),
      'That did not work: Search is not set up: set SEARXNG_URL',
    ],
    ['画一只猫', failed('TIMEOUT', 'took too long'), '超时了，没有完成。'],
    [
      '先搜索月球，再画一张图',
      { success: true, run_id: 'r', status: 'started', steps: 2 },
      '好的，计划开始了，一共 2 步，每一步有了结果都会告诉你。',
    ],
  ])('%s', async (text, result, said) => {
    expect(await hear(text, result)).toBe(said)
  })
})

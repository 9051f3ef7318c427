import { createContext, runInContext } from 'node:vm'
import { startOfflineModel } from '../../src/embedded/offline-model'
import type { OfflineModel } from '../../src/embedded/offline-model'
import { writePage } from '../../src/embedded/offline-model/pages/write-page'
import { createOpenAiModel } from '../../src/planner/openai-model'
import { loadPrompt, renderTemplate } from '../../src/planner/prompts'
import type { TemplateVariables } from '../../src/planner/prompts'

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

/** Asks with a prompt of ours, as the worker does. */
async function ask(name: string, variables: TemplateVariables): Promise<string> {
  const { baseUrl } = offline
  const model = createOpenAiModel({ apiKey: undefined, baseUrl, name: undefined, idleTimeoutMs: 5_000, maxRetries: 0 })
  const { system, user = '' } = loadPrompt(name)
  const { content } = await model.complete({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: renderTemplate(user, variables) },
    ],
    tools: [],
    signal: AbortSignal.timeout(5_000),
  })
  return content
}

/** As the prompt `memory_summary` begins, and as it is filled in. */
async function summarize(memory: string, messages: string[]): Promise<string> {
  const { baseUrl } = offline
  const model = createOpenAiModel({ apiKey: undefined, baseUrl, name: undefined, idleTimeoutMs: 5_000, maxRetries: 0 })
  const { content } = await model.complete({
    messages: [
      { role: 'system', content: 'You keep the memory of a long conversation. Write the memory anew.' },
      { role: 'user', content: `Remembered so far:\n${memory}\n\nThe next messages:\n${messages.join('\n')}` },
    ],
    tools: [],
    signal: AbortSignal.timeout(5_000),
  })
  return content
}

it('keeps what the person said in the memory of a conversation, and drops small talk', async () => {
  const first = await summarize('-', ['user: 我叫小王，喜欢喝茶', 'assistant: 好的', 'user: 谢谢', 'user: 几点了？'])
  expect(first).toBe('- 我叫小王，喜欢喝茶')
  expect(await summarize(first, ['user: The deadline is Friday', 'assistant: Noted'])).toBe(
    '- 我叫小王，喜欢喝茶\n- The deadline is Friday',
  )
})

it('forgets the oldest of a memory that grows too long', async () => {
  const long = await summarize(
    '- 最早的事',
    Array.from({ length: 20 }, (_, index) => `user: fact ${index} ${'x'.repeat(150)}`),
  )
  expect(long.length).toBeLessThan(1_600)
  expect(long).not.toContain('最早的事')
  expect(long).toContain('fact 19')
})

it('says that it takes a little longer, in the language of the reason', async () => {
  const say = (aiName: string, reason: string) => ask('schedule_progress', { aiName, reason, delaySeconds: 10 })
  expect(await say('local__image_draw', '画一只猫')).toBe('正在为您画图，还需要一点时间，请稍候~')
  expect(await say('local__realtime_search', 'search cats')).toBe('I am still searching; it needs a little more time.')
  expect(await say('everything__wait', '')).toBe('正在为您处理，还需要一点时间，请稍候~')
})

it('tells the outcome in the words of the plugin, even if the result was cut', async () => {
  const say = (language: string, result: string) => ask('run_result', { language, aiName: 'x', reason: '', result })
  expect(await say('zh', '{"success":true,"data":{"summary":"画好了：/f/1"},"error":null}')).toBe('画好了：/f/1')
  expect(await say('en', '{"success":true,"data":{"summary":"Two \\"cats\\"","results":[{"ti')).toBe('Two "cats"')
  expect(await say('en', '{"success":true,"data":null,"error":null}')).toBe('It is done.')
  expect(await say('zh', '{"success":false,"data":null,"error":{"message":"没有密钥"}}')).toBe('没有成功：没有密钥')
})

it('completes arguments from the steps before, and changes none', async () => {
  const complete = async (draft: object, results: unknown) =>
    JSON.parse(
      await ask('complete_arguments', {
        ...{ aiName: 'local__image_draw', reason: '画一张图', schema: '{"required":["prompt"]}' },
        ...{ draft: JSON.stringify(draft), results: JSON.stringify(results) },
      }),
    ) as unknown
  const found = [{ stepIndex: 0, data: { query: '月球', results: [{ title: '月球是地球的卫星' }] } }]
  expect(await complete({ n: 2 }, found)).toEqual({ n: 2, prompt: '月球: 月球是地球的卫星' })
  expect(await complete({ prompt: 'a cat' }, found)).toEqual({ prompt: 'a cat' })
  expect(await complete({}, [])).toEqual({})
})

describe('the calculator it writes', () => {
  const page = writePage({ name: '计算器', description: '', language: 'zh' })
  const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? ''

  function press(keys: string): string {
    const screen = { value: '', addEventListener: () => undefined, focus: () => undefined }
    const context = createContext({ document: { getElementById: () => screen } })
    runInContext(script, context)
    for (const key of keys) runInContext(`press(${JSON.stringify(key)})`, context)
    return screen.value
  }

  it.each([
    ['1+2×3=', '7'],
    ['(1+2)×3=', '9'],
    ['0.1+0.2=', '0.3'],
    ['8÷4÷2=', '1'],
    ['5--3=', '8'],
    ['12⌫+1=', '2'],
    ['2×3=+4=', '10'],
    ['2×3=4=', '4'],
    ['1÷0=', '算式不对'],
    ['1+=', '算式不对'],
    ['(1=', '算式不对'],
    ['1C', ''],
  ])('%s %s', (keys, shown) => {
    expect(press(keys)).toBe(shown)
  })
})

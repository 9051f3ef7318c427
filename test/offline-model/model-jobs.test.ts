import { createContext, runInContext } from 'node:vm'
import { pino } from 'pino'
import type { RunResult } from '../../src/runs/plugins/contract'
import type { Run, RunStep } from '../../src/runs/contract'
import type { JsonValue } from '../../src/contracts/words'
import { startOfflineModel } from '../../src/offline-model'
import type { OfflineModel } from '../../src/offline-model'
import { writePage } from '../../src/offline-model/pages/write-page'
import { createModelFeedbackWords } from '../../src/runs/feedback-words'
import { createOpenAiModel } from '../../src/planner/openai-model'
import { loadPrompt, renderTemplate } from '../../src/planner/prompts'
import type { TemplateVariables } from '../../src/planner/prompts'

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

function connect() {
  const { baseUrl } = offline
  return createOpenAiModel({ apiKey: undefined, baseUrl, name: undefined, idleTimeoutMs: 5_000, maxRetries: 0 })
}

/** Asks with a prompt of ours, as the worker does. */
async function ask(name: string, variables: TemplateVariables): Promise<string> {
  const { system, user = '' } = loadPrompt(name)
  const { content } = await connect().complete({
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
  const { content } = await connect().complete({
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

describe('the words of a run', () => {
  /** Asked through the worker's own code, so that prompt and answer cannot part. */
  function wordsOf(language: Run['language'], aiName: string) {
    const run: Run = {
      ...{ id: 'r', sessionKey: 's', botUuid: 'b', origin: 'chat', status: 'running', language, timezone: 'UTC' },
      ...{ overlays: {}, cancelReason: null, createdAt: new Date(), endedAt: null },
    }
    const step: RunStep = {
      ...{ runId: 'r', stepIndex: 0, stepId: 's', aiName, draftArgs: {}, args: null, dependsOn: [], reason: null },
      ...{ askedAt: null, feedbackAt: null, result: null, status: 'running', lateByMs: null, settledAt: null },
      ...{ startedAt: null, finishedAt: null, progressText: null, resultText: null },
    }
    const words = createModelFeedbackWords(connect(), pino({ level: 'silent' }))
    return {
      progress: () => words.progress(run, step, undefined),
      result: (result: RunResult) => words.result(run, step, undefined, result),
    }
  }

  it('say that it takes a little longer, in the language of the run', async () => {
    const say = (language: Run['language'], aiName: string) => wordsOf(language, aiName).progress()
    expect(await say('zh', 'local__image_draw')).toBe('正在为您画图，还需要一点时间，请稍候~')
    expect(await say('en', 'local__realtime_search')).toBe('I am still searching; it needs a little more time.')
    expect(await say('zh', 'everything__wait')).toBe('正在为您处理，还需要一点时间，请稍候~')
  })

  it('tell the outcome in the words of the plugin', async () => {
    const tell = (language: Run['language'], data: JsonValue) =>
      wordsOf(language, 'x').result({ success: true, code: 'OK', data, error: null })
    expect(await tell('zh', { summary: '画好了：/f/1' })).toBe('画好了：/f/1')
    expect(await tell('en', { summary: 'Two "cats"' })).toBe('Two "cats"')
    expect(await tell('en', { summary: 'Two cats', results: ['x'.repeat(7_000)] })).toBe('Two cats')
    expect(await tell('en', null)).toBe('It is done.')
    expect(await tell('zh', null)).toBe('已经完成了。')
  })

  it('tell a failure with its reason', async () => {
    const failed = { success: false, data: null, error: { message: '没有密钥' } }
    const prompt = { aiName: 'x', work: '-', reason: '', result: JSON.stringify(failed) }
    expect(await ask('run_result', { ...prompt, language: 'Chinese' })).toBe('没有成功：没有密钥')
    expect(await ask('run_result', { ...prompt, language: 'English' })).toBe('It did not succeed: 没有密钥')
  })
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

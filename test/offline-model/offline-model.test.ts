import { startOfflineModel } from '../../src/offline-model'
import type { OfflineModel } from '../../src/offline-model'
import { createOfflineChat } from './fixture'

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

const post = (body: unknown) =>
  fetch(`${offline.baseUrl}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const user = (content: unknown) => ({ role: 'user', content })

describe('what the offline model says', () => {
  it.each([
    ['你好', /离线模型/],
    ['您好！', /离线模型/],
    ['Hello there', /offline model/],
    ['good morning', /offline model/],
    ['你是谁？', /我是 Punctual 自带的离线模型/],
    ['你是什麼模型', /离线模型/],
    ['who are you?', /I am the offline model built into Punctual/],
    ['what model is this', /offline model/],
    ['你会做什么', /5秒后提醒我喝水/],
    ['help', /remind me in 10 seconds/],
    ['what can you do?', /what reminders do I have/],
    ['现在几点了？', /^现在是 2026-11-17 09:30 星期二（Asia\/Shanghai）。$/],
    ['今天星期幾', /星期二/],
    ['what time is it?', /^It is 2026-11-17 09:30, Tuesday \(Asia\/Shanghai\)\.$/],
    ['谢谢', /不客气/],
    ['thanks a lot', /welcome/],
    ['给我讲个故事', /离线模型.*“给我讲个故事”/],
    ['tell me a joke', /offline model.*"tell me a joke"/],
    ['42', /离线模型|offline model/],
  ])('to %s', async (text, expected) => {
    const { content, status, toolCalls } = await createOfflineChat(offline.baseUrl).says(text)
    expect(content).toMatch(expected)
    expect(status).toBe('answered')
    expect(toolCalls).toEqual([])
  })

  it('in the tasks profile is Chinese, and that it only does tasks', async () => {
    const chat = createOfflineChat(offline.baseUrl, { pipeline: 'tasks', withTools: false })
    expect((await chat.says('tell me a joke')).content).toMatch(/只处理任务/)
  })

  it('stays short and quick whatever it is told', async () => {
    const chat = createOfflineChat(offline.baseUrl)
    const began = Date.now()
    for (const text of ['下周一上午'.repeat(390), '一'.repeat(1_990), 'in a '.repeat(399), '提醒我'.repeat(100_000)]) {
      const { content, status } = await chat.says(text)
      expect(status).toBe('answered')
      expect(content.length).toBeLessThan(5_000)
    }
    expect(Date.now() - began).toBeLessThan(5_000)
  })
})

describe('the protocol of the offline model', () => {
  it('lists its model', async () => {
    const answer = await (await fetch(`${offline.baseUrl}/models`)).json()
    expect(answer).toMatchObject({ object: 'list', data: [{ id: 'punctual-offline', object: 'model' }] })
  })

  it('answers whole when no stream is asked for', async () => {
    const answer = await (await post({ model: 'any', messages: [user('你好')] })).json()
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: 'punctual-offline',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant' } }],
    })
  })

  it('streams chunks and ends with [DONE]', async () => {
    const body = { model: 'any', stream: true, stream_options: { include_usage: true }, messages: [user('你好')] }
    const lines = (await (await post(body)).text()).trim().split('\n\n')
    expect(lines.at(-1)).toBe('data: [DONE]')
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)) as Chunk)
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)?.usage).toBeDefined()
    expect(chunks.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toContain('离线模型')
  })

  it('reads parts of text, and calls only tools that are offered', async () => {
    const ask = (tools: unknown) =>
      post({ tools, messages: [user([{ type: 'text', text: '5秒后提醒我喝水' }])] }).then((answer) => answer.json())
    const schedule = [{ type: 'function', function: { name: 'schedule_private_message', parameters: {} } }]
    expect(await ask(schedule)).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: null,
            tool_calls: [{ type: 'function', function: { name: 'schedule_private_message' } }],
          },
        },
      ],
    })
    expect(await ask([])).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
  })

  it.each<[string, unknown, number]>([
    ['no JSON', '{"messages": [', 400],
    ['a poisoned prototype', '{"messages": [], "__proto__": {"a": 1}}', 400],
    ['a list', [], 400],
    ['no messages', { model: 'x' }, 400],
    ['an unknown role', { messages: [{ role: 'king', content: 'hi' }] }, 400],
    ['a content that is a number', { messages: [user(5)] }, 400],
    ['tools that are no list', { messages: [user('hi')], tools: 'all' }, 400],
    ['a body that is too long', { messages: [user('x'.repeat(5_000_000))] }, 413],
  ])('refuses %s in the shape clients know', async (_case, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it('answers 404 elsewhere', async () => {
    expect((await fetch(`${offline.baseUrl}/embeddings`)).status).toBe(404)
  })
})

interface Chunk {
  choices: { delta?: { content?: string | null }; finish_reason: string | null }[]
  usage?: object
}

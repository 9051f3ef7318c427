import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import type { FastifyInstance } from 'fastify'
import OpenAI from 'openai'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { eventually } from '../support/eventually'
import { fails, says, startScriptedModel } from '../support/scripted-model'
import type { ScriptedModel } from '../support/scripted-model'
import { listen } from '../support/sse-client'

let product: Product
let app: FastifyInstance
let baseURL: string
let apiKey: string
let client: OpenAI

beforeAll(async () => {
  product = await buildProduct()
  await product.startWorker()
  app = await product.serve()
  baseURL = `${await listen(app)}/v1`
  const wanted = { name: 'test', scopes: ['read' as const, 'send' as const], botUuids: [product.botUuid] }
  apiKey = (await product.parts.access.createApiKey(ADMIN, wanted)).key
  client = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
}, 60_000)
afterAll(async () => {
  await app.close()
  await product.close()
})

const ask = (content: string) => [{ role: 'user' as const, content }]
const historyOf = async (sessionKey: string) =>
  (await product.parts.stores.messages.latest(sessionKey, { limit: 50 })).map(({ role, content }) => ({
    role,
    content,
  }))

test('the models are the pipelines', async () => {
  const models = await client.models.list()
  expect(models.data.map(({ id }) => id).sort()).toEqual(['assistant', 'tasks'])
  expect(await client.models.retrieve('tasks')).toMatchObject({ id: 'tasks', object: 'model' })
})

test('the openai SDK gets an answer, and what was promised there arrives in the session', async () => {
  const { data, response } = await client.chat.completions
    .create({ model: 'assistant', user: 'sdk', messages: ask('remind me in 1 second to stretch') })
    .withResponse()
  expect(data).toMatchObject({ object: 'chat.completion', model: 'assistant' })
  expect(data.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } })
  expect(data.choices[0]?.message.content).toContain('stretch')
  const sessionKey = response.headers.get('x-session-key') ?? ''
  expect(sessionKey).toContain('person:sdk')
  await eventually(async () => (await historyOf(sessionKey)).some(({ content }) => content === 'Reminder: stretch'))
})

test('the openai SDK streams, and the pieces make the stored answer', async () => {
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'an old question' },
    { role: 'assistant' as const, content: 'an old answer' },
    ...ask('what can you do?'),
  ]
  const stream = await client.chat.completions.create(
    { model: 'assistant', stream: true, messages },
    { headers: { 'X-Session-Key': 'streamed' } },
  )
  let text = ''
  let finish: string | null | undefined
  const ids = new Set<string>()
  for await (const chunk of stream) {
    expect(chunk.object).toBe('chat.completion.chunk')
    text += chunk.choices[0]?.delta.content ?? ''
    finish = chunk.choices[0]?.finish_reason ?? finish
    ids.add(chunk.id)
  }
  expect(finish).toBe('stop')
  // The session remembers by itself: what the client repeats is not said again.
  expect(await historyOf('streamed')).toEqual([
    { role: 'user', content: 'what can you do?' },
    { role: 'assistant', content: text },
  ])
})

describe('with a model of its own', () => {
  let scripted: ScriptedModel
  let own: Product
  let ownApp: FastifyInstance
  let chat: OpenAI
  beforeAll(async () => {
    scripted = await startScriptedModel()
    own = await buildProduct({ OPENAI_BASE_URL: scripted.baseUrl, OPENAI_API_KEY: 'test', MODEL_MAX_RETRIES: '0' })
    ownApp = await own.serve()
    const wanted = { name: 'own', scopes: ['read' as const, 'send' as const], botUuids: [own.botUuid] }
    const { key } = await own.parts.access.createApiKey(ADMIN, wanted)
    chat = new OpenAI({ baseURL: `${await listen(ownApp)}/v1`, apiKey: key, maxRetries: 0 })
  }, 60_000)
  afterAll(async () => {
    await ownApp.close()
    await own.close()
    await scripted.close()
  })

  test('a stream says nothing twice, and all its chunks bear one id', async () => {
    scripted.setScript([says('hello world\n')])
    const stream = await chat.chat.completions.create({ model: 'assistant', stream: true, messages: ask('hi') })
    let text = ''
    const ids = new Set<string>()
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      ids.add(chunk.id)
    }
    expect(text).toBe('hello world')
    expect(ids.size).toBe(1)
  })

  test('system messages and settings reach the model; an empty session key is none', async () => {
    scripted.setScript([says('ok')])
    await chat.chat.completions.create(
      {
        ...{ model: 'assistant', temperature: 0.2, max_tokens: 50, stop: ['END'] },
        messages: [{ role: 'system', content: 'Answer in verse.' }, ...ask('hi')],
      },
      { headers: { 'X-Session-Key': '' } },
    )
    const { body } = scripted.requests.at(-1)!
    expect(body).toMatchObject({ temperature: 0.2, max_tokens: 50, stop: ['END'] })
    expect(body.messages[0]?.content).toContain('Answer in verse.')
  })

  test('an answer that the limit of tokens cut says so, whole and as a stream', async () => {
    const cut = { kind: 'text' as const, text: 'Once upon a', finishReason: 'length' }
    scripted.setScript([cut, cut, says('The end.')])
    const asked = { model: 'assistant', max_tokens: 3, messages: ask('a story') }
    const whole = await chat.chat.completions.create(asked)
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Once upon a' } })
    const finishes: unknown[] = []
    for await (const chunk of await chat.chat.completions.create({ ...asked, stream: true })) {
      finishes.push(chunk.choices[0]?.finish_reason)
    }
    expect(finishes.filter(Boolean)).toEqual(['length'])
    expect((await chat.chat.completions.create(asked)).choices[0]?.finish_reason).toBe('stop')
  })

  test.each<[string, object]>([
    ['n', { n: 2 }],
    ['tools', { tools: [{ type: 'function', function: { name: 'x' } }] }],
    ['response_format', { response_format: { type: 'json_object' } }],
  ])('what cannot be kept is refused by name: %s', async (param, body) => {
    const attempt = chat.chat.completions.create({ model: 'assistant', messages: ask('hi'), ...body })
    await expect(attempt).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param })
  })

  test.each([
    [401, 502, 'model_rejected'],
    [429, 429, 'model_rate_limited'],
    [500, 502, 'model_unavailable'],
  ])('a model that answers %i is an error %i', async (upstream, status, code) => {
    scripted.setScript([fails(upstream)])
    const attempt = chat.chat.completions.create({ model: 'assistant', messages: ask('hi') })
    await expect(attempt).rejects.toMatchObject({ status, code })
  })

  test('a pipeline of an administrator is a model; the Responses API names the way', async () => {
    await own.parts.pipelines.create({ uuid: 'own', name: 'Own' })
    expect((await chat.models.list()).data.map(({ id }) => id)).toContain('own')
    const attempt = chat.responses.create({ model: 'assistant', input: 'hi' })
    await expect(attempt).rejects.toMatchObject({ status: 404, code: 'unsupported_endpoint' })
  })
})

test('another client, the AI SDK of Vercel, gets answers and streams', async () => {
  const provider = createOpenAICompatible({ name: 'punctual', baseURL, apiKey, headers: { 'X-Session-Key': 'other' } })
  const model = provider('assistant')
  const { text } = await generateText({ model, prompt: 'what can you do?' })
  let streamed = ''
  for await (const piece of streamText({ model, prompt: 'hello there' }).textStream) streamed += piece
  expect((await historyOf('other')).map(({ content }) => content)).toEqual([
    ...['what can you do?', text],
    ...['hello there', streamed],
  ])
})

test('parts of text are understood; what is not text is refused and not dropped', async () => {
  const content = [{ type: 'text' as const, text: 'what can you do?' }]
  await client.chat.completions.create({ model: 'assistant', user: 'parts', messages: [{ role: 'user', content }] })
  const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } }
  const attempt = client.chat.completions.create({
    ...{ model: 'assistant', user: 'parts' },
    messages: [{ role: 'user', content: [...content, picture] }],
  })
  await expect(attempt).rejects.toMatchObject({ status: 400, code: 'unsupported_content' })
})

test('failures come as a client of OpenAI expects them', async () => {
  const create = (body: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>, from = client) =>
    from.chat.completions.create({ model: 'assistant', messages: ask('hi'), ...body })
  await expect(create({ model: 'gpt-4o' })).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  await expect(create({ messages: [] })).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' })
  await expect(create({ messages: [{ role: 'assistant', content: 'me' }] })).rejects.toMatchObject({
    ...{ status: 400, code: 'no_user_message' },
  })
  await expect(create({ messages: ask('x'.repeat(20_001)) })).rejects.toMatchObject({ code: 'message_too_long' })
  const stranger = new OpenAI({ baseURL, apiKey: 'nobody', maxRetries: 0 })
  const refused = create({}, stranger)
  await expect(refused).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  await expect(refused).rejects.toMatchObject({ type: 'authentication_error' })
})

test('a long conversation that a client repeats is taken', async () => {
  const old = { role: 'assistant' as const, content: 'x'.repeat(500_000) }
  const answer = await client.chat.completions.create({
    ...{ model: 'assistant', user: 'long' },
    messages: [old, ...ask('what can you do?')],
  })
  expect(answer.choices[0]?.message.content).not.toBe('')
})

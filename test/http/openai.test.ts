import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import type { FastifyInstance } from 'fastify'
import OpenAI from 'openai'
import { createApp } from '../../src/http/app'
import { frontDoor } from '../../src/server'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { eventually } from '../support/eventually'
import { listen } from './sse-client'
import { HTTP_CONFIG } from './support'

let product: Product
let app: FastifyInstance
let baseURL: string
let apiKey: string
let client: OpenAI

beforeAll(async () => {
  product = await buildProduct()
  await product.startWorker()
  app = await createApp(frontDoor(product.parts), HTTP_CONFIG)
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

import Fastify from 'fastify'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { v7 as uuidv7 } from 'uuid'
import type { Closings } from '../support/run-bench'
import type { Services } from '../support/services'
import { openPool } from '../support/services'
import { TOOL } from './instant-model'

/**
 * The least that any backend does for such a turn: a route of Fastify, two streamed calls of the openai SDK, and four
 * rows (question, call, result, answer), each an insert of its own. No key, no queue, no history, no events.
 */
export async function startFloor(services: Services, modelUrl: string, closings: Closings): Promise<string> {
  await services.pool.query(
    'CREATE TABLE IF NOT EXISTS floor_messages (id uuid PRIMARY KEY, session text, role text, content text, at timestamptz DEFAULT now())',
  )
  const pool = openPool(services.databaseUrl, closings)
  const client = new OpenAI({ apiKey: 'none', baseURL: modelUrl, maxRetries: 0 })
  const keep = (session: string, role: string, content: string) =>
    pool.query('INSERT INTO floor_messages (id, session, role, content) VALUES ($1, $2, $3, $4)', [
      ...[uuidv7(), session, role, content],
    ])
  const app = Fastify()
  app.post<{ Body: { message: string; session_key: string } }>('/api/ai/chat', async ({ body }) => {
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: body.message }]
    await keep(body.session_key, 'user', body.message)
    const call = await complete(client, messages)
    await keep(body.session_key, 'call', call.id)
    messages.push({ role: 'assistant', tool_calls: [toolCall(call.id)] })
    messages.push({ role: 'tool', tool_call_id: call.id, content: '{"count":0}' })
    await keep(body.session_key, 'result', '{"count":0}')
    const { content } = await complete(client, messages)
    await keep(body.session_key, 'assistant', content)
    return { code: 0, message: 'ok', data: { content } }
  })
  closings.add(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

const toolCall = (id: string) => ({ id, type: 'function' as const, function: { name: TOOL, arguments: '{}' } })

async function complete(client: OpenAI, messages: ChatCompletionMessageParam[]) {
  const stream = await client.chat.completions.create({ model: 'instant', messages, stream: true })
  const answer = { id: '', content: '' }
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta
    answer.content += delta?.content ?? ''
    answer.id ||= delta?.tool_calls?.[0]?.id ?? ''
  }
  return answer
}

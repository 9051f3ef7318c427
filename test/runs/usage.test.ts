import { calls, says, saysAsJson } from '../support/scripted-model'
import type { ScriptStep } from '../support/scripted-model'
import { buildChatWorld } from './chat-fixture'
import type { ChatWorld } from './chat-fixture'

let world: ChatWorld
beforeAll(async () => {
  world = await buildChatWorld()
}, 60_000)
afterAll(() => world.close(), 60_000)

/** The model answers the turn with a call of the plugin, and the plugin's own question as it is told. */
async function ask(senderId: string, answer: ScriptStep) {
  const turns = [calls('local__thinker', { question: 'why?' }), says('So it is.')]
  world.model.setScript(({ body }) =>
    body.model === 'deep' ? answer : (turns.shift() ?? says('the script has ended')),
  )
  const session = await world.product.session(senderId)
  await world.parts.chat.send(session, { message: 'think', senderId })
  const { rows } = await world.parts.database.pool.query<Record<string, unknown>>(
    `SELECT bot_uuid, person, session_key, model, prompt_tokens, completion_tokens, cached_tokens, estimated
     FROM model_usage WHERE purpose = 'plugin' AND person = $1`,
    [`web:${senderId}`],
  )
  return { session, rows }
}

test('what a plugin asks the model is in the ledger, for the bot and the person who had it run', async () => {
  const usage = { prompt_tokens: 70, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 6 } }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'because' }, finish_reason: 'stop' }]
  const { session, rows } = await ask('ada', { kind: 'status', status: 200, body: { model: 'deep-2', choices, usage } })
  expect(rows).toEqual([
    {
      ...{ botUuid: session.botUuid, person: 'web:ada', sessionKey: session.sessionKey, model: 'deep-2' },
      ...{ promptTokens: 70, completionTokens: 30, cachedTokens: 6, estimated: false },
    },
  ])
}, 60_000)

test('where the server says nothing it is counted by length, and marked so', async () => {
  const { rows } = await ask('bob', saysAsJson('because'))
  expect(rows).toMatchObject([{ person: 'web:bob', estimated: true }])
  expect(rows[0]!['promptTokens']).toBeGreaterThan(10)
  expect(rows[0]!['completionTokens']).toBeGreaterThan(10)
}, 60_000)

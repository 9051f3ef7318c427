import type { Session } from '../../src/conversation/session'
import { DREAM_SCHEDULE, HEARTBEAT_SCHEDULE } from '../../src/contracts/temporal'
import { WINDOW } from '../../src/conversation/memory'
import { eventually } from '../support/eventually'
import { calls, fails, says } from '../support/scripted-model'
import type { ScriptedRequest, ScriptStep } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
/** What the model makes of a long conversation. */
let memory: ScriptStep = says('')
const isDream = ({ body }: ScriptedRequest) => body.messages[0]?.content?.startsWith('You keep the memory')
const dreams = () => world.model.requests.filter(isDream)

beforeAll(async () => {
  world = await buildWorld((request) => (isDream(request) ? memory : says('Noted.')))
}, 120_000)
afterAll(() => world.close())

const say = (session: Session, message: string) => world.product.parts.chat.send(session, { message, senderId: 'me' })

async function talk(session: Session, turns: number): Promise<void> {
  for (let count = 1; count <= turns; count++) await say(session, `fact ${count} of ${session.launcherId}`)
}

const dream = () => world.product.parts.dream(new AbortController().signal, () => undefined)
const remembered = (session: Session) => world.product.parts.stores.memories.find(session.sessionKey)
const systemOf = (request?: ScriptedRequest) => request?.body.messages[0]?.content ?? ''

/** What the model was told in the last turn of a session, memory and messages. */
const toldLast = () => JSON.stringify(world.model.requests.filter((request) => !isDream(request)).at(-1)!.body.messages)

test('nothing is missing at any turn: what leaves the window is in the summary before it leaves', async () => {
  const session = await world.product.session('ada')
  memory = (request) => says(`Remembered: ${/fact 1 of ada/.exec(JSON.stringify(request.body.messages))?.[0] ?? ''}`)
  for (let count = 1; count <= 32; count++) {
    await say(session, `fact ${count} of ada`)
    expect(toldLast()).toContain('fact 1 of ada')
  }
  const stored = await eventually(() => remembered(session))
  expect(stored.summary).toBe('Remembered: fact 1 of ada')
  await say(session, 'What was the first?')
  const request = world.model.requests.filter((asked) => !isDream(asked)).at(-1)!
  expect(systemOf(request)).toContain('What you remember of this conversation')
  expect(request.body.messages.length).toBeLessThan(WINDOW.full + 10)
  expect(request.body.messages.length).toBeGreaterThan(WINDOW.kept)
}, 60_000)

test.each<[string, ScriptStep]>([
  ['fails', fails(500)],
  ['says nothing', says('  ')],
])(
  'while a model %s everything is shown, and the next dream makes up for it',
  async (words, step) => {
    const session = await world.product.session(words)
    memory = step
    await talk(session, 25)
    expect(await remembered(session)).toBeNull()
    expect(toldLast()).toContain(`fact 1 of ${words}`)
    memory = says('It is remembered now.')
    // Or the summary that the last turn began, if it asks only now.
    await dream()
    expect(await remembered(session)).toMatchObject({ summary: 'It is remembered now.' })
  },
  60_000,
)

/** Programs have pushed so much into a session that no turn has looked at any of it. */
async function pushMany(session: Session, count: number): Promise<void> {
  await world.product.parts.database.pool.query(
    `INSERT INTO message_history (session_key, bot_uuid, launcher_type, launcher_id, sender_id, message_role,
       message_content, message_chain, source_kind)
     SELECT $1, $2, 'person', $3::text, 'program', 'assistant', 'fact ' || n || ' of ' || $3::text, '[]', 'push'
     FROM generate_series(1, $4) AS n`,
    [session.sessionKey, session.botUuid, session.launcherId, count],
  )
}

test('more than the window came in between two turns: the turn waits for the summary', async () => {
  const session = await world.product.session('flood')
  await pushMany(session, 400)
  memory = (request) => {
    const facts = [...JSON.stringify(request.body.messages).matchAll(/fact \d+ of flood/g)].map(([fact]) => fact)
    return says([...new Set(facts)].join(', '))
  }
  await say(session, 'What was the first?')
  const told = toldLast()
  const missing = Array.from({ length: 400 }, (_, at) => `fact ${at + 1} of flood`).filter(
    (fact) => !told.includes(fact),
  )
  // A summary has an end; what it was made of were all of them.
  const summed = JSON.stringify(dreams().map(({ body }) => body.messages))
  expect(missing.filter((fact) => !summed.includes(fact))).toEqual([])
  expect(told).toContain('fact 1 of flood')
}, 60_000)

test.each<[string, ScriptStep]>([
  ['fails', fails(500)],
  ['says nothing', says('  ')],
])(
  'more than the window came in, and the model %s at the summary: all of it is shown, in excerpts',
  async (words, step) => {
    const session = await world.product.session(`flood that ${words}`)
    await pushMany(session, 400)
    memory = step
    await say(session, 'What was the first?')
    const told = toldLast()
    const facts = Array.from({ length: 400 }, (_, at) => `fact ${at + 1} of flood that ${words}`)
    expect(facts.filter((fact) => !told.includes(fact))).toEqual([])
    memory = says('It is remembered now.')
    await dream()
  },
  60_000,
)

test('a summary of what was forgotten meanwhile is not kept', async () => {
  const session = await world.product.session('gone')
  await talk(session, 2)
  const { memories, messages } = world.product.parts.stores
  const [first] = await messages.latest(session.sessionKey, { limit: 1 })
  await world.product.parts.database.pool.query('DELETE FROM message_history WHERE session_key = $1', [
    session.sessionKey,
  ])
  expect(await memories.write(session.sessionKey, { summary: 'secret', uptoMessageId: first!.id })).toBe(false)
  expect(await remembered(session)).toBeNull()
})

test('what tools did in earlier turns, and what came by itself, is shown to the next turn', async () => {
  const session = await world.product.session('eve')
  const { scheduledMessages } = world.product.parts
  world.model.setScript([
    calls('schedule_private_message', { send_at: 'in 2 hours', message_text: 'tea' }, 'call_0'),
    says('Set.'),
    says('Which one?'),
  ])
  await say(session, 'remind me of tea in 2 hours')
  const [pending] = await scheduledMessages.list({ bots: 'all', sessionKey: session.sessionKey, limit: 1 })
  await world.product.parts.database.pool.query(
    `UPDATE message_history SET source_kind = 'scheduled_send' WHERE session_key = $1 AND message_content = 'Set.'`,
    [session.sessionKey],
  )
  await say(session, 'cancel that one')
  const [, , called, result, said] = world.model.requests.at(-1)!.body.messages
  expect(called?.tool_calls?.[0]?.function).toMatchObject({ name: 'schedule_private_message' })
  expect(JSON.parse(result!.content!)).toMatchObject({ success: true, task_id: pending!.id })
  expect(result?.tool_call_id).toBe(called?.tool_calls?.[0]?.id)
  expect(said?.content).toMatch(/^\[reminder that was due, \d{4}-\d\d-\d\d \d\d:\d\d\]\nSet\.$/)
  world.model.setScript((request) => (isDream(request) ? memory : says('Noted.')))
})

test('what was said in one conversation is in no other memory', async () => {
  const short = await world.product.session('bob')
  await talk(short, 3)
  await dream()
  expect(await remembered(short)).toBeNull()
  const shown = dreams().map(({ body }) => body.messages.at(-1)!.content!)
  expect(shown.some((text) => text.includes('of bob'))).toBe(false)
  expect(shown.filter((text) => text.includes('of ada') && text.includes('of fails'))).toEqual([])
})

test('the system jobs are schedules of Temporal, made again when an operator deletes them, and protected', async () => {
  await world.product.startWorker()
  for (const scheduleId of [DREAM_SCHEDULE, HEARTBEAT_SCHEDULE]) {
    const handle = world.temporal.schedule.getHandle(scheduleId)
    /** When the schedule that is there now was made. */
    const madeAt = () =>
      handle.describe().then(
        ({ info }) => info.createdAt.getTime(),
        () => 0,
      )
    const first = await eventually(madeAt, 30_000)
    await handle.delete()
    await eventually(async () => (await madeAt()) > first, 40_000)
  }

  const session = await world.product.session('operator')
  for (const id of ['heartbeat', 'dream']) {
    world.model.setScript([calls('cron', { action: 'remove', automation_id: id }), says('It stays.')])
    const answer = await say(session, `Remove the automation ${id}`)
    expect(answer.tool_calls).toMatchObject([{ name: 'cron', result: { reason: 'protected' } }])
  }
  expect((await world.temporal.schedule.getHandle(DREAM_SCHEDULE).describe()).state.paused).toBe(false)
}, 120_000)

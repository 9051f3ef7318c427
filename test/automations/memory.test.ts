import type { Session } from '../../src/contracts/session'
import { DREAM_SCHEDULE, HEARTBEAT_SCHEDULE } from '../../src/contracts/temporal'
import { CONTEXT_MESSAGES } from '../../src/sessions/turn-runner'
import { eventually } from '../support/eventually'
import { calls, fails, says } from '../support/scripted-model'
import type { ScriptedRequest, ScriptStep } from '../support/scripted-model'
import { buildWorld } from './support'
import type { World } from './support'

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

test('what the planner is no longer shown becomes a summary that it reads in its next turn', async () => {
  const session = await world.product.session('ada')
  await talk(session, 31)
  memory = says('Ada likes her tea green.')
  expect(await dream()).toEqual({ summarised: 1, failed: 0 })
  const told = dreams().at(-1)!.body.messages.at(-1)!.content!
  expect(told).toContain('fact 1 of ada')
  expect(told).not.toContain('fact 31 of ada')

  const before = world.model.requests.length
  await say(session, 'What do I like?')
  const request = world.model.requests[before]
  expect(systemOf(request)).toContain('What you remember of this conversation')
  expect(systemOf(request)).toContain('Ada likes her tea green.')
  expect(request!.body.messages.slice(1)).toHaveLength(CONTEXT_MESSAGES)
})

test('a second dream builds on the first and reads only what came since', async () => {
  const session = await world.product.session('ada')
  const first = await remembered(session)
  const asked = dreams().length
  await dream()
  expect(dreams()).toHaveLength(asked)
  await talk(session, 12)
  memory = says('Ada likes her tea green and hot.')
  expect(await dream()).toEqual({ summarised: 1, failed: 0 })
  const told = dreams().at(-1)!.body.messages.at(-1)!.content!
  expect(told).toContain('Ada likes her tea green.')
  expect(told).not.toContain('fact 1 of ada')
  const second = await remembered(session)
  expect(second!.summary).toBe('Ada likes her tea green and hot.')
  expect(second!.uptoMessageId).toBeGreaterThan(first!.uptoMessageId)
})

test.each<[string, ScriptStep, { summarised: number; failed: number }]>([
  ['fails', fails(500), { summarised: 0, failed: 1 }],
  ['says nothing', says('  '), { summarised: 0, failed: 0 }],
])('a model that %s leaves all as it was, and the next dream makes up for it', async (words, step, outcome) => {
  const session = await world.product.session(words)
  await talk(session, 31)
  memory = step
  expect(await dream()).toEqual(outcome)
  expect(await remembered(session)).toBeNull()
  const before = world.model.requests.length
  await say(session, 'Still there?')
  expect(systemOf(world.model.requests[before])).not.toContain('What you remember')
  memory = says('It is remembered now.')
  await dream()
  expect(await remembered(session)).toMatchObject({ summary: 'It is remembered now.' })
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

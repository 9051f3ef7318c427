import type { Session } from '../../src/conversation/session'
import { eventually } from '../support/eventually'
import { calls, says } from '../support/scripted-model'
import type { ScriptStep } from '../support/scripted-model'
import { buildChatWorld, direct, isDuty } from './chat-fixture'
import type { ChatWorld, LogLine } from './chat-fixture'
import { findRunContradictions, resultOf, saidIn, storyOf, typesOf } from './run-fixture'

let world: ChatWorld
let session: Session

beforeAll(async () => {
  world = await buildChatWorld()
}, 90_000)
beforeEach(async () => {
  session = await world.product.session()
  world.log.length = 0
})
afterAll(() => world.close(), 60_000)

const send = (message: string) => world.parts.chat.send(session, { message, senderId: 'mia' })
const toolsOf = (number: number) => world.model.requests.at(number)?.body.tools?.map((tool) => tool.function.name) ?? []
const NUMBER = expect.any(Number) as number

/** The lines under the label SCHEDULE since the test began, each once. */
async function expectLogged(expected: Record<string, unknown>[]): Promise<void> {
  const scheduled = () => world.log.filter(({ label }) => label === 'SCHEDULE')
  await eventually(() => scheduled().length >= expected.length)
  expect(scheduled()).toEqual(expected.map((line) => expect.objectContaining(line) as LogLine))
}

const play = (...turns: ScriptStep[]) => world.model.setScript(direct(turns))

test('a call with a schedule answers at once, and its result comes as a message that the next turn knows', async () => {
  play(calls('local__wait', { ms: 10, schedule: 'in 15 seconds' }), says('I will tell you.'))
  const answer = await send('wait a moment and tell me in 15 seconds')
  const result = answer.tool_calls[0]!.result as { run_id: string; feedback_at: string }
  expect(result).toMatchObject({
    run_id: expect.any(String) as string,
    status: 'scheduled',
    feedback_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
  })
  expect(answer.content).toBe('I will tell you.')

  const events = await storyOf(world, result.run_id)
  expect(typesOf(events)).toEqual(['args', 'tool_result', 'completed'])
  expect(resultOf(events)!.ts).toBeGreaterThanOrEqual(Date.parse(result.feedback_at) - 1_000)
  const told = 'wait is done: waited 10 ms'
  expect((await saidIn(world, session)).at(-1)).toBe(told)

  const enabled = {
    msg: 'Schedule 延迟反馈启用',
    scheduleText: 'in 15 seconds',
    targetISO: expect.any(String) as string,
  }
  await expectLogged([
    { ...enabled, run_id: result.run_id, aiName: 'local__wait', delayMs: 15_000 },
    {
      msg: 'Schedule 延迟反馈: 工具已提前完成，延迟后反馈',
      ...{ run_id: result.run_id, aiName: 'local__wait', delayMs: 15_000, actualMs: NUMBER },
    },
  ])

  play(says('You are welcome.'))
  await send('thank you')
  expect(world.model.requests.at(-1)?.body.messages.map(({ content }) => content)).toContainEqual(
    expect.stringContaining(told),
  )
}, 90_000)

test('a call without a schedule gives its result to the model in the same turn, and is no message of its own', async () => {
  play(calls('local__wait', { ms: 10 }), says('It took 10 ms.'))
  const answer = await send('wait a moment')
  expect(answer.tool_calls[0]?.result).toMatchObject({ code: 'OK', data: { waited: 10 } })
  const shown = world.model.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'tool')
  expect(shown?.content).toContain('waited 10 ms')
  expect(await saidIn(world, session)).toEqual(['wait a moment', 'It took 10 ms.'])
}, 90_000)

test('a call that fails is told to the model as a failure', async () => {
  play(calls('local__wait', { ms: 1, fail: 'no paint' }), says('There is no paint.'))
  const answer = await send('wait a moment')
  expect(answer.tool_calls[0]?.result).toMatchObject({ success: false, code: 'ERR', error: { message: 'no paint' } })
}, 90_000)

test('a schedule that cannot be read is refused in the turn, and nothing runs', async () => {
  play(calls('local__wait', { ms: 1, schedule: 'when pigs fly' }), says('When is that?'))
  const answer = await send('wait a moment')
  expect(answer.tool_calls[0]?.result).toMatchObject({ success: false, code: 'ERR' })
  const { rows } = await world.parts.database.pool.query('SELECT 1 FROM runs WHERE session_key = $1', [
    session.sessionKey,
  ])
  expect(rows).toEqual([])
}, 60_000)

test('a deferred plugin is not shown until a search has found it', async () => {
  const before = world.model.requests.length
  play(
    calls('tool_search', { query: 'hidden treasure' }),
    calls('local__treasure', { map: 'the old oak' }),
    says('Gold!'),
  )
  const answer = await send('where is the treasure?')
  expect(toolsOf(before)).toContain('tool_search')
  expect(toolsOf(before)).not.toContain('local__treasure')
  expect(toolsOf(before + 1)).toContain('local__treasure')
  expect(answer.tool_calls[1]?.result).toMatchObject({ code: 'OK', data: { found: 'gold under the old oak' } })
}, 90_000)

test("a plan's second step is completed by the model from the first one's result", async () => {
  const steps = [
    { aiName: 'local__wait', draftArgs: { ms: 7 }, reason: 'find out who it is' },
    { aiName: 'local__greet', draftArgs: {}, dependsOn: [0] },
  ]
  const turns = [calls('run_plan', { steps }), says('Two things are under way.')]
  world.model.setScript(direct(turns, { arguments: () => says('```json\n{"name": "Ada"}\n```') }))
  const answer = await send('find out who it is and greet them')
  const { run_id: runId } = answer.tool_calls[0]!.result as { run_id: string }
  expect(answer.tool_calls[0]?.result).toMatchObject({ status: 'started', steps: 2 })

  const events = await storyOf(world, runId)
  expect(events.at(-1)).toMatchObject({ type: 'completed', status: 'succeeded' })
  const asked = world.model.requests.findLast((request) => isDuty(request, 'arguments'))
  expect(JSON.stringify(asked?.body.messages)).toContain('waited 7 ms')
  expect(events.find(({ type, stepIndex }) => type === 'args' && stepIndex === 1)).toMatchObject({
    args: { name: 'Ada' },
  })
  expect((await saidIn(world, session)).at(-1)).toBe('greet is done: Hello Ada')
}, 90_000)

test('the model completes only what a step lacks: it neither delays it nor changes what was said', async () => {
  const steps = [
    { aiName: 'local__wait', draftArgs: { ms: 7 } },
    { aiName: 'local__noted', draftArgs: { gate: '/dev/null' }, dependsOn: [0] },
  ]
  const added = { notes: '/dev/null', gate: '/elsewhere', schedule: '1小时后', mood: 'good' }
  const turns = [calls('run_plan', { steps }), says('Under way.')]
  world.model.setScript(direct(turns, { arguments: () => says(JSON.stringify(added)) }))
  const answer = await send('wait and note it')
  const events = await storyOf(world, (answer.tool_calls[0]!.result as { run_id: string }).run_id)
  expect(events.find(({ type, stepIndex }) => type === 'args' && stepIndex === 1)).toMatchObject({
    args: { notes: '/dev/null', gate: '/dev/null' },
  })
  expect(events.at(-1)).toMatchObject({ status: 'succeeded' })
}, 90_000)

test.each([
  ['names a tool that is not there', [{ aiName: 'local__nothing' }], 'unknown_tool', /local__nothing/],
  [
    'goes in a circle',
    [
      { aiName: 'local__wait', draftArgs: { ms: 1 }, dependsOn: [1] },
      { aiName: 'local__wait', draftArgs: { ms: 1 }, dependsOn: [0] },
    ],
    'bad_plan',
    /only on steps before it/,
  ],
  [
    'lacks what a step needs and nothing before it can tell',
    [{ aiName: 'local__greet', draftArgs: {} }],
    'bad_arguments',
    /Step 0: local__greet lacks name/,
  ],
])(
  'a plan that %s is refused in the turn, with a code and what to do',
  async (_how, steps, reason, hint) => {
    play(calls('run_plan', { steps }), says('I cannot do that.'))
    const answer = await send('do something')
    const refused = { success: false, reason, hint: expect.stringMatching(hint) as string }
    expect(answer.tool_calls[0]?.result).toMatchObject(refused)
    expect(await world.parts.runs.list({ bots: 'all', sessionKey: session.sessionKey, limit: 1 })).toEqual([])
  },
  60_000,
)

test('a call that is late says so once, then tells its result, and the log tells both', async () => {
  play(calls('local__wait', { ms: 6_000, schedule: 'in 1 second' }), says('I will tell you.'))
  const answer = await send('wait and tell me in a second')
  const events = await storyOf(world, (answer.tool_calls[0]!.result as { run_id: string }).run_id)
  expect(typesOf(events)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
  const said = await saidIn(world, session)
  expect(said.slice(-2)).toEqual([
    expect.stringMatching(/^The tool is still running; it did not finish within 1s/),
    'wait is done: waited 6000 ms',
  ])
  await expectLogged([
    { msg: 'Schedule 延迟反馈启用', aiName: 'local__wait', scheduleText: 'in 1 second' },
    { msg: 'Schedule 延迟反馈: 发送中间状态', aiName: 'local__wait', delayMs: NUMBER },
    { msg: 'Schedule 延迟反馈: 工具延迟完成', aiName: 'local__wait', totalMs: NUMBER },
  ])
  expect(await findRunContradictions(world.parts.database.pool)).toEqual({})
}, 120_000)

test('a call that takes longer than it may is logged as what it is, and not as done early', async () => {
  play(calls('local__hang', { schedule: 'in 2 minutes' }), says('I will tell you.'))
  const answer = await send('hang, and tell me in two minutes')
  const { run_id } = answer.tool_calls[0]!.result as { run_id: string }
  await storyOf(world, run_id)
  await expectLogged([
    { msg: 'Schedule 延迟反馈启用', run_id, aiName: 'local__hang', delayMs: 120_000 },
    { msg: 'Schedule 延迟反馈: 工具超时，立即反馈', run_id, aiName: 'local__hang', code: 'TIMEOUT', totalMs: NUMBER },
  ])
}, 120_000)

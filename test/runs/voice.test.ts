import type { Session } from '../../src/conversation/session'
import { getPipeline } from '../../src/planner/pipelines'
import { calls, fails, hangs, says } from '../support/scripted-model'
import { buildChatWorld, direct, isDuty, systemOf } from './chat-fixture'
import type { ChatWorld } from './chat-fixture'
import { findRunContradictions, startRun, storyOf, typesOf } from './run-fixture'

const DEFAULT_PROGRESS = /^The tool is still running; it did not finish within \d+s\. Still waiting\.\.\.$/
const DEFAULT_RESULT = 'wait is done: waited 12000 ms'

let world: ChatWorld
beforeAll(async () => {
  world = await buildChatWorld()
}, 90_000)
afterAll(() => world.close(), 60_000)

async function feedbackIn({ sessionKey }: Session) {
  const messages = await world.parts.stores.messages.latest(sessionKey, { limit: 50 })
  return messages
    .filter(({ sourceKind }) => sourceKind === 'plugin_feedback')
    .map(({ content, metadata }) => ({ content, what: (metadata as { feedback?: string } | null)?.feedback }))
}

/** A run that is late for its feedback; answers what the person was told. */
async function tellLate(overlays: Record<string, string>) {
  const session = await world.product.session()
  const draftArgs = { ms: 12_000, schedule: 'in 6 seconds' }
  const step = { aiName: 'local__wait', draftArgs, reason: 'to see a kettle boil' }
  const run = await startRun(world, session, [step], { overlays })
  expect(typesOf(await storyOf(world, run.id, 90_000))).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
  return feedbackIn(session)
}

test('with overlays the model finds the words; without, or when it fails or hangs, the plain ones are used', async () => {
  const before = world.model.requests.length
  world.model.setScript(
    direct([], {
      progress: (request) => {
        if (systemOf(request).includes('BROKEN')) return fails(500)
        return systemOf(request).includes('SILENT') ? hangs() : says('Arr, still at it!')
      },
      result: (request) => (systemOf(request).includes('PIRATE') ? says('Arr, it boils!') : fails(500)),
    }),
  )
  const [plain, pirate, own, broken, silent] = await Promise.all([
    tellLate({}),
    tellLate({ global: 'Speak like a PIRATE.' }),
    tellLate({ schedule_progress: 'Only here like a PARROT.' }),
    tellLate({ global: 'BROKEN' }),
    tellLate({ global: 'SILENT' }),
  ])
  const defaults = [
    { what: 'progress', content: expect.stringMatching(DEFAULT_PROGRESS) as string },
    { what: 'result', content: DEFAULT_RESULT },
  ]
  expect(plain).toEqual(defaults)
  expect(pirate).toEqual([
    { what: 'progress', content: 'Arr, still at it!' },
    { what: 'result', content: 'Arr, it boils!' },
  ])
  expect(own).toEqual([{ what: 'progress', content: 'Arr, still at it!' }, defaults[1]])
  expect(broken).toEqual(defaults)
  expect(silent).toEqual(defaults)

  const asked = world.model.requests.slice(before)
  expect(asked.filter((request) => isDuty(request, 'progress'))).toHaveLength(4)
  const parrot = asked.filter((request) => systemOf(request).includes('PARROT'))
  expect(parrot).toHaveLength(1)
  expect(parrot[0]?.body.messages[1]?.content).toMatch(/local__wait[\s\S]*kettle[\s\S]*waited: \d+$/)
  expect(await findRunContradictions(world.parts.database.pool)).toEqual({})
}, 180_000)

test('no model makes feedback late: at the deadline what is ready is told, else the plain words', async () => {
  world.model.setScript(direct([], { result: () => hangs(), progress: () => hangs() }))
  const session = await world.product.session()
  const step = { aiName: 'local__wait', draftArgs: { ms: 10, schedule: 'in 5 seconds' } }
  const run = await startRun(world, session, [step], { overlays: { global: 'Speak like a PIRATE.' } })
  await storyOf(world, run.id)
  const [told] = (await world.parts.runs.find(run.id))!.steps
  expect(told!.resultText).toBeNull()
  expect((await feedbackIn(session)).at(-1)).toEqual({ what: 'result', content: 'wait is done: waited 10 ms' })
  // The model is given eight seconds; nobody has waited for them.
  expect(told!.lateByMs).toBeLessThan(5_000)
}, 120_000)

test('the model is told the language, the work and the arguments, and a long answer is cut', async () => {
  world.model.setScript(direct([], { progress: () => says('Ahoy! '.repeat(500)), result: () => says('Done.') }))
  const session = await world.product.session()
  const draftArgs = { ms: 10_000, schedule: 'in 5 seconds' }
  const run = await startRun(world, session, [{ aiName: 'local__wait', draftArgs }], { overlays: { global: 'AHOY' } })
  await storyOf(world, run.id)
  const [progress] = await feedbackIn(session)
  expect(progress!.content).toMatch(/^Ahoy!/)
  expect(progress!.content.length).toBeLessThanOrEqual(300)
  const asked = world.model.requests.findLast(
    (request) => systemOf(request).includes('AHOY') && isDuty(request, 'progress'),
  )
  expect(asked?.body.messages[1]?.content).toMatch(/^Language: English\nWhat is being done: wait; ms: 10000 /)
}, 120_000)

test("the pipeline's overlays give a run that was asked for in the chat its voice", async () => {
  const overlays = getPipeline('assistant').overlays as Record<string, string>
  overlays['global'] = 'Speak like a PIRATE.'
  try {
    const session = await world.product.session()
    world.model.setScript(
      direct([calls('local__wait', { ms: 10, schedule: 'in 1 second' }), says('Aye.')], {
        result: () => says('Arr, done!'),
        progress: () => says('Arr, wait!'),
      }),
    )
    const answer = await world.parts.chat.send(session, { message: 'wait and tell me in a second', senderId: 'mia' })
    await storyOf(world, (answer.tool_calls[0]!.result as { run_id: string }).run_id)
    expect((await feedbackIn(session)).at(-1)).toEqual({ what: 'result', content: 'Arr, done!' })
    const asked = world.model.requests.findLast((request) => isDuty(request, 'result'))
    expect(systemOf(asked!)).toContain('PIRATE')
  } finally {
    delete overlays['global']
  }
}, 120_000)

import { eventually } from '../support/eventually'
import { calls, says } from '../support/scripted-model'
import type { ScriptedRequest } from '../support/scripted-model'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
const lastOf = ({ body }: ScriptedRequest) => body.messages.at(-1)?.content ?? ''

beforeAll(async () => {
  world = await buildWorld((request) =>
    says(`answer ${world.model.requests.length} to ${lastOf(request).split('\n')[1] ?? lastOf(request)}`),
  )
  await world.product.startWorker()
}, 120_000)
afterAll(() => world.close())

test('a one-time automation runs as a turn of its session and leaves trigger and answer in its history', async () => {
  const session = await world.product.session()
  const id = await world.add(session, {
    at: 'in 2 seconds',
    message: 'Check the oven.\nIs it hot?',
    name: 'oven check',
  })
  const [run] = await world.ended(id)
  expect(run).toMatchObject({ state: 'succeeded', error: null })

  const [trigger, answer] = await world.history(session.sessionKey)
  const ref = { id: 'cron.agent_turn.reminder', version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }
  expect(trigger).toMatchObject({
    role: 'user',
    content: 'Scheduled automation triggered: oven check\n\nCheck the oven.\nIs it hot?',
    sourceKind: 'automation',
    metadata: {
      _automation_turn: true,
      automation_id: id,
      automation_name: 'oven check',
      automation_run_id: run!.id,
      automation_prompt_ref: ref,
    },
  })
  expect(answer).toMatchObject({
    role: 'assistant',
    sourceKind: 'automation',
    content: expect.stringContaining('answer') as string,
  })
  expect(answer!.id).toBe(run!.messageId)

  const record = await world.product.parts.automations.runRecord(run!.id)
  expect(record?.renderedPrompt).toContain('[automation]\nCheck the oven.')
  expect(record?.variables).toMatchObject({ name: 'oven check', timezone: session.timezone })
  const texts = (await world.history(session.sessionKey)).map(({ content }) => content).join('\n')
  expect(texts).not.toContain('[automation]')

  const view = await world.product.parts.automations.find(id)
  expect(view?.automation).toMatchObject({ state: 'ended', runsCount: 1, nextRunAt: null })
})

test('what was discussed after one run is known to the next run', async () => {
  const session = await world.product.session()
  const id = await world.add(session, { message: 'Report the price of tea.' })
  await world.fire(id)
  await world.ended(id, 1)
  await world.product.parts.chat.send(session, { message: 'Please use euros from now on.', senderId: 'me' })
  const before = world.model.requests.length
  await world.fire(id)
  await world.ended(id, 2)
  const shown = world.model.requests[before]!.body.messages.map(({ content }) => content)
  expect(shown).toContain('Please use euros from now on.')
  expect(shown.filter((text) => text?.includes('Scheduled automation triggered'))).toHaveLength(1)
  expect(shown.at(-1)).toMatch(/^\[automation\]\nReport the price of tea\./)
  // Tools that make work are not offered to an automation.
  const offered = world.model.requests[before]!.body.tools?.map((tool) => tool.function.name) ?? []
  expect(offered).not.toContain('cron')
  expect(offered).not.toContain('schedule_private_message')
})

test('a run that fails, or has nothing to say, is closed visibly and recorded as what it was', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  world.model.setScript([says('')])
  await world.fire(id)
  await world.ended(id, 1)
  world.model.setScript([{ kind: 'status', status: 500 }])
  await world.fire(id)
  const [failed, empty] = await world.ended(id, 2)
  expect(empty).toMatchObject({ state: 'empty' })
  expect(failed).toMatchObject({ state: 'failed', error: 'model_unavailable' })
  expect(failed?.errorDetail).toMatch(/^the model answered 500/)
  expect(empty?.errorDetail).toBeNull()
  const said = (await world.history(session.sessionKey)).filter(({ role }) => role === 'assistant')
  expect(said.map(({ content }) => content)).toEqual([
    'The automation "oven" ran and had nothing to say this time.',
    'The automation "oven" could not be completed this time; the cause is recorded.',
  ])
})

test('after five failures in a row it is paused, with one note, and Temporal is told', async () => {
  const session = await world.product.session()
  const id = await world.add(session)
  world.model.setScript(() => ({ kind: 'status', status: 500 }))
  for (let count = 1; count <= 5; count++) {
    await world.fire(id)
    await world.ended(id, count)
  }
  const view = await world.product.parts.automations.find(id)
  expect(view?.automation).toMatchObject({ state: 'auto_paused', failuresInRow: 5 })
  const notes = (await world.history(session.sessionKey)).filter(
    ({ metadata }) => metadata['automation_note'] === 'auto_paused',
  )
  expect(notes.map(({ content }) => content)).toEqual([
    'The automation "oven" failed 5 times in a row and is paused. Enable it again when it is mended.',
  ])
  await eventually(async () => (await world.temporal.schedule.getHandle(`automation/${id}`).describe()).state.paused)
})

test('tools that are not offered to an automation do not run, whatever the model calls', async () => {
  const session = await world.product.session()
  const { scheduledMessages } = world.product.parts
  const kept = await scheduledMessages.schedule(session, {
    ...{ sendAt: 'in 2 hours', messageText: 'mine', replaceExisting: false, language: 'en' },
  })
  const tries = [
    calls('schedule_private_message', { send_at: 'in 1 hour', message_text: 'x', replace_existing: true }),
    calls('cancel_scheduled_private_message', { all: true }),
    calls('cron', { action: 'add', message: 'x', every_seconds: 60 }),
    calls('set_notifications', { pushes: false }),
    calls('run_plan', { steps: [{ aiName: 'local__image_draw' }] }),
  ]
  const report = 'Report: the Friday meeting has been cancelled by the client.'
  const before = world.model.requests.length
  world.model.setScript([...tries, says(report)])
  const id = await world.add(session, { at: 'in 1 second' })
  expect(await world.ended(id)).toMatchObject([{ state: 'succeeded' }])
  const [first, ...rest] = world.model.requests.slice(before)
  const offered = first!.body.tools?.map(({ function: { name } }) => name) ?? []
  const hidden = [
    'schedule_private_message',
    'cancel_scheduled_private_message',
    'cron',
    'set_notifications',
    'run_plan',
  ]
  expect(hidden.filter((name) => offered.includes(name))).toEqual([])
  const results = rest.map(({ body }) => JSON.parse(body.messages.at(-1)!.content!) as { reason: string })
  expect(results.map(({ reason }) => reason)).toEqual(Array(5).fill('inside_automation'))
  expect((await world.history(session.sessionKey)).at(-1)).toMatchObject({ content: report })
  const pending = await scheduledMessages.list({ bots: 'all', sessionKey: session.sessionKey, limit: 10 })
  expect(pending.map((message) => [message.id, message.status])).toEqual([[kept.ok && kept.message.id, 'pending']])
})

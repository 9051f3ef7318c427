import { legacySessionKey } from '../../src/automations/contract'
import { importJobs } from '../../src/automations/import/import-jobs'
import type { ImportLine } from '../../src/automations/import/import-jobs'
import { readNanobotJobs } from '../../src/automations/import/nanobot-jobs'
import { fails, says } from '../support/scripted-model'
import type { ScriptedRequest, ScriptStep } from '../support/scripted-model'
import { ADMIN } from '../support/product'
import { buildWorld } from './automation-fixture'
import type { World } from './automation-fixture'

let world: World
/** What the evaluator says; everything else the model is asked is answered with `ANSWER`. */
let verdict: ScriptStep = says('yes')
const ANSWER = 'The repository has two new issues.'
const isEvaluator = ({ body }: ScriptedRequest) => body.messages[0]?.content?.startsWith('A job has run by itself')
const evaluations = () => world.model.requests.filter(isEvaluator).length

beforeAll(async () => {
  world = await buildWorld((request) => (isEvaluator(request) ? verdict : says(ANSWER)))
  await world.product.startWorker()
}, 120_000)
afterAll(() => world.close())
beforeEach(() => {
  verdict = says('yes')
})

const HOUR = 3_600_000
const job = (id: string, payload: object = {}, schedule: object = { kind: 'every', everyMs: HOUR }) => ({
  ...{ id, name: `job ${id}`, enabled: true, schedule, state: { nextRunAtMs: 1 }, createdAtMs: 1, updatedAtMs: 1 },
  payload: {
    kind: 'agent_turn',
    message: 'Look at the repository.',
    deliver: false,
    channel: null,
    to: null,
    ...payload,
  },
  deleteAfterRun: false,
})

async function importAll(jobs: unknown[], botUuid = world.product.botUuid): Promise<ImportLine[]> {
  const { automations, sessions, clock } = world.product.parts.stores
  const entries = readNanobotJobs(JSON.stringify({ version: 1, jobs }))
  return importJobs({ automations, sessions, clock, botUuid, timezone: 'Asia/Shanghai' }, entries)
}

/** Imports one job and answers the id that it has here. */
async function importOne(given: ReturnType<typeof job>): Promise<string> {
  const [line] = await importAll([given])
  expect(line).toMatchObject({ outcome: 'imported' })
  return line!.id!
}

async function runOnce(id: string, count = 1) {
  await world.fire(id)
  const [run] = await world.ended(id, count)
  return run!
}

const findTarget = (channel: 'web' | 'webhook', launcherId: string) =>
  world.product.parts.stores.sessions.findByAddress({
    ...{ botUuid: world.product.botUuid, launcherType: 'person', channel, launcherId },
  })

async function messagesTo(launcherId: string, channel: 'web' | 'webhook' = 'web') {
  const session = await findTarget(channel, launcherId)
  return session ? world.history(session.sessionKey) : []
}

test('an import takes what is good, names what is not and why, and changes nothing the second time', async () => {
  const session = await world.product.session()
  const file = [
    job('good-every', { deliver: true, channel: 'cli', to: 'direct' }),
    job('good-cron', {}, { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Europe/Berlin' }),
    { ...job('good-at', {}, { kind: 'at', at_ms: Date.now() + HOUR }), enabled: false },
    job('bound', { session_key: session.sessionKey }),
    job('both', { sessionKey: session.sessionKey, deliver: true, channel: 'telegram', to: 42 }),
    job('homeless', { sessionKey: 'telegram:404' }),
    job('often', {}, { kind: 'every', everyMs: 59_000 }),
    job('past', {}, { kind: 'at', atMs: Date.now() - HOUR }),
    job('cron', {}, { kind: 'cron', expr: '99 9 * * *' }),
    job('phrase', {}, { kind: 'cron', expr: 'every day at 9am' }),
    job('zone', {}, { kind: 'cron', expr: '0 9 * * *', tz: 'Mars/Olympus' }),
    job('silent', { message: '' }),
    job('system', { kind: 'system_event' }),
    { ...job('dream'), name: 'dream' },
    { ...job('shape'), schedule: { kind: 'sometimes' } },
    job('bad id\n'),
    job('good-cron'),
    'nonsense',
  ]
  const lines = await importAll(file)
  expect(lines.map(({ oldId, outcome, note }) => [oldId, outcome, note.split(/[:;,]/)[0]])).toEqual([
    ['good-every', 'imported', 'legacy'],
    ['good-cron', 'imported', 'legacy'],
    ['good-at', 'imported', 'legacy'],
    ['bound', 'imported', expect.stringContaining('bound to ')],
    ['both', 'imported', 'legacy'],
    ['homeless', 'refused', 'no_session'],
    ['often', 'refused', 'too_often'],
    ['past', 'refused', 'past'],
    ['cron', 'refused', 'invalid_cron'],
    ['phrase', 'refused', 'invalid_cron'],
    ['zone', 'refused', 'bad_timezone'],
    ['silent', 'refused', 'empty_message'],
    ['system', 'skipped', 'a system job'],
    ['dream', 'skipped', 'a system job'],
    ['shape', 'refused', expect.stringContaining('schedule')],
    ['bad id\n', 'refused', expect.stringContaining('id')],
    ['good-cron', 'refused', 'its id stands in the file twice'],
    ['#18', 'refused', expect.any(String)],
  ])

  const find = async (oldId: string) => {
    const { id } = lines.find((line) => line.oldId === oldId && line.outcome === 'imported')!
    return (await world.product.parts.automations.find(id!))!.automation
  }
  expect(await find('good-cron')).toMatchObject({
    sessionKey: null,
    state: 'active',
    recurrence: { kind: 'cron', expressions: ['0 9 * * 1-5'], timezone: 'Europe/Berlin' },
  })
  expect(await find('good-at')).toMatchObject({ state: 'paused', maxRuns: 1 })
  expect(await find('bound')).toMatchObject({ sessionKey: session.sessionKey })
  expect(await find('both')).toMatchObject({ sessionKey: null, legacy: { channel: 'telegram', to: '42' } })

  const again = await importAll(file)
  expect(again.filter(({ outcome }) => outcome === 'imported')).toEqual([])
  expect(again.filter(({ outcome }) => outcome === 'known')).toHaveLength(5)
})

test('two imports of one file at once bring each job once', async () => {
  const file = Array.from({ length: 10 }, (_, index) => job(`twin-${index}`))
  const outcomes = (await Promise.all([importAll(file), importAll(file), importAll(file)])).flat()
  expect(outcomes.filter(({ outcome }) => outcome === 'imported')).toHaveLength(10)
  const known = await world.product.parts.stores.automations.listImported(world.product.botUuid)
  expect(known.filter((id) => id.startsWith('twin-')).sort()).toEqual(file.map(({ id }) => id).sort())
})

test.each(['', '[]', '{"jobs": 7}', '{"version": 2, "jobs": []}', '{"version": 1'])('%j is no jobs file', (text) => {
  expect(() => readNanobotJobs(text)).toThrow(/not a jobs file/)
})

test('a job runs in a session of its own and its answer goes to the old target once, however often it is asked', async () => {
  const id = await importOne(job('tell', { deliver: true, channel: 'websocket', to: 'old-chat' }))
  const run = await runOnce(id)
  expect(run).toMatchObject({ state: 'succeeded', sessionKey: legacySessionKey('tell'), error: null })
  const thought = await world.history(legacySessionKey('tell'))
  expect(thought.map(({ role }) => role)).toEqual(['user', 'assistant'])

  const { runAutomationTurn } = world.product.parts
  const signal = new AbortController().signal
  await Promise.all([1, 2, 3].map(() => runAutomationTurn(run.id, signal)))
  const sent = await messagesTo('old-chat')
  expect(sent).toMatchObject([
    { role: 'assistant', content: ANSWER, sourceKind: 'automation', metadata: { automation_run_id: run.id } },
  ])
  // A worker that died between the answer and its delivery: the run is over, and nothing was sent.
  await world.product.parts.database.pool.query('DELETE FROM message_history WHERE id = $1', [sent[0]!.id])
  expect(await runAutomationTurn(run.id, signal)).toBe('succeeded')
  expect(await messagesTo('old-chat')).toMatchObject([{ content: ANSWER }])
})

test('the evaluator may withhold an answer, and only by a plain no', async () => {
  verdict = says('No.')
  const id = await importOne(job('quiet', { deliver: true, channel: 'cli', to: 'quiet-chat' }))
  const withheld = await runOnce(id)
  // Its workflow ends after the evaluator has been asked.
  await world.product.parts.runAutomationTurn(withheld.id, new AbortController().signal)
  expect((await world.runs(id))[0]).toMatchObject({ state: 'succeeded', error: 'withheld' })
  expect(await messagesTo('quiet-chat')).toEqual([])
  const asked = world.model.requests.filter(isEvaluator).at(-1)!.body.messages.at(-1)!.content
  expect(asked).toContain('Look at the repository.')
  expect(asked).toContain(ANSWER)

  for (const [index, unclear] of [says('No errors, but two issues.'), says(''), fails(500), fails(400)].entries()) {
    verdict = unclear
    const next = await runOnce(id, index + 2)
    await world.product.parts.runAutomationTurn(next.id, new AbortController().signal)
    expect(await messagesTo('quiet-chat')).toHaveLength(index + 1)
  }
})

test('a target on an outside channel gets it through that channel', async () => {
  const id = await importOne(job('out', { deliver: true, channel: 'webhook', to: 'ada' }))
  const run = await runOnce(id)
  await world.product.parts.runAutomationTurn(run.id, new AbortController().signal)
  const [message] = await messagesTo('ada', 'webhook')
  const { rows } = await world.product.parts.database.pool.query(
    'SELECT channel FROM deliveries WHERE message_id = $1',
    [message!.id],
  )
  expect(rows).toEqual([{ channel: 'webhook' }])
})

test('a group that has the number of the person gets nothing', async () => {
  const group = await world.product.session('10001', 'group')
  const id = await importOne(job('number', { deliver: true, channel: 'web', to: '10001' }))
  const run = await runOnce(id)
  await world.product.parts.runAutomationTurn(run.id, new AbortController().signal)
  expect(await world.history(group.sessionKey)).toEqual([])
  expect(await messagesTo('10001')).toMatchObject([{ content: ANSWER }])
})

test('a channel that nobody knows is recorded; the answer stays in its session, and the evaluator is not asked', async () => {
  const before = evaluations()
  const id = await importOne(job('lost', { deliver: true, channel: 'smoke', to: 'hill' }))
  const run = await runOnce(id)
  await world.product.parts.runAutomationTurn(run.id, new AbortController().signal)
  expect((await world.runs(id))[0]).toMatchObject({ state: 'succeeded', error: 'no_target' })
  expect((await world.history(legacySessionKey('lost'))).at(-1)).toMatchObject({ content: ANSWER })
  expect(evaluations()).toBe(before)
})

test('neither a bound automation nor a job that delivers nothing is ever evaluated', async () => {
  verdict = says('no')
  const before = evaluations()
  const session = await world.product.session()
  const own = await world.add(session)
  const bound = await importOne(job('bound-2', { sessionKey: session.sessionKey }))
  const mute = await importOne(job('mute', { channel: 'cli', to: 'mute-chat' }))
  for (const id of [own, bound, mute]) await runOnce(id)
  expect(evaluations()).toBe(before)
  const answers = (await world.history(session.sessionKey)).filter(({ role }) => role === 'assistant')
  expect(answers.map(({ content }) => content)).toEqual([ANSWER, ANSWER])
  expect(await messagesTo('mute-chat')).toEqual([])
})

test('jobs of two bots with one old id think in two sessions', async () => {
  const other = '0190a1b2-0000-7000-8000-00000000b0b0'
  await world.product.parts.stores.bots.create({ uuid: other, name: 'Other' })
  const mine = await importOne(job('shared'))
  const [line] = await importAll([job('shared')], other)
  const runs = [await runOnce(mine), await runOnce(line!.id!)]
  expect(runs.map(({ sessionKey }) => sessionKey)).toEqual(['cron:shared', `cron:shared:${other}`])
})

test('deleting a session is blocked by its bound automations, and by neither imported nor system jobs', async () => {
  const { sessions } = world.product.parts
  const id = await importOne(job('stays'))
  await runOnce(id)
  const key = legacySessionKey('stays')
  expect(await sessions.delete(ADMIN, key, { deleteAutomations: false })).toEqual({ deleted: true })
  expect((await world.product.parts.automations.find(id))?.automation.state).toBe('active')
  await world.fire(id)
  expect(await world.ended(id)).toMatchObject([{ state: 'succeeded', sessionKey: key }])

  const session = await world.product.session()
  await world.product.parts.database.pool.query(
    `INSERT INTO automations (id, kind, session_key, bot_uuid, name, message, recurrence, timezone, language)
     VALUES (gen_random_uuid(), 'system_event', $1, $2, 'dream', '', '{"kind":"every","seconds":3600}', 'UTC', 'en')`,
    [session.sessionKey, session.botUuid],
  )
  expect(await sessions.delete(ADMIN, session.sessionKey, { deleteAutomations: false })).toEqual({ deleted: true })

  const held = await world.product.session()
  await importOne(job('holds', { sessionKey: held.sessionKey }))
  expect(await sessions.delete(ADMIN, held.sessionKey, { deleteAutomations: false })).toMatchObject({
    deleted: false,
    automations: [{ name: 'job holds' }],
  })
})

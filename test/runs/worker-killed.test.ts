import fs from 'node:fs'
import path from 'node:path'
import { transformFile } from '@swc/core'
import type { Run } from '../../src/runs/contract'
import { eventually } from '../support/eventually'
import { endProcesses, settingsOf, startProcess } from '../support/processes'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { testDir } from '../support/services'
import {
  createNotes,
  findRunContradictions,
  isGone,
  PLUGINS,
  resultOf,
  startRun,
  storyOf,
  typesOf,
} from './run-fixture'
import type { Notes } from './run-fixture'

let product: Product
let settings: Record<string, string>

beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  settings = { ...settingsOf(product), ...PLUGINS }
}, 60_000)
afterAll(async () => {
  await endProcesses()
  await product.close()
}, 60_000)

/** Handlers are loaded by `import()`, as in `dist`; the build of the test processes makes a `require` of it. */
async function keepDynamicImport(): Promise<void> {
  const file = 'src/runs/plugins/child/child'
  const { code } = await transformFile(path.resolve(__dirname, '../..', `${file}.ts`), {
    swcrc: false,
    module: { type: 'commonjs', ignoreDynamic: true },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  })
  fs.writeFileSync(path.join(testDir(), 'build', `${file}.js`), code)
}

test('a run that was promised by a front door that is killed before Temporal heard of it is run', async () => {
  const { parts, botUuid } = product
  const { key } = await parts.access.createApiKey(ADMIN, { name: 'test', scopes: ['send'], botUuids: [botUuid] })
  const doomed = await startProcess('server', { ...settings, TEMPORAL_ADDRESS: '127.0.0.1:1' })
  const answer = await fetch(`${doomed.url}/api/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ plan: { steps: [{ aiName: 'local__wait', draftArgs: { ms: 1 } }] } }),
  })
  expect(answer.status).toBe(201)
  await doomed.kill()
  await keepDynamicImport()
  const { data } = (await answer.json()) as { data: { run_id: string } }
  expect(await parts.scheduler.stateOf(`run/${data.run_id}`)).toBe('not_found')

  const worker = await startProcess('worker', settings)
  const events = await storyOf(product, data.run_id, 90_000)
  expect(typesOf(events)).toEqual(['args', 'tool_result', 'completed'])
  expect(resultOf(events)?.result).toMatchObject({ code: 'OK', error: null })
  expect(await findRunContradictions(parts.database.pool)).toEqual({})
  await worker.kill()
}, 240_000)

interface Case {
  run: Run
  notes: Notes
}

async function begin(plugin: 'noted' | 'repeatable', schedule: string): Promise<Case> {
  const notes = createNotes(plugin)
  const draftArgs = { notes: notes.file, gate: notes.gate, schedule }
  const run = await startRun(product, await product.session(), [{ aiName: `local__${plugin}`, draftArgs }])
  return { run, notes }
}

const told = async ({ run }: Case) => typesOf(await product.parts.runs.events(run.id, 0, 10))

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a worker that gets %s during a plugin, before or after the deadline, loses nothing and doubles nothing',
  async (signal) => {
    const doomed = await startProcess('worker', settings)
    await keepDynamicImport()
    const early = { safe: await begin('repeatable', 'in 40 seconds'), unsafe: await begin('noted', 'in 40 seconds') }
    const late = { safe: await begin('repeatable', 'in 1 second'), unsafe: await begin('noted', 'in 1 second') }
    const all = [early.safe, early.unsafe, late.safe, late.unsafe]
    await eventually(() => all.every(({ notes }) => notes.lines().length === 1), 60_000)
    for (const { run } of [late.safe, late.unsafe]) {
      await eventually(async () => (await told({ run, notes: late.safe.notes })).includes('tool_choice'), 60_000)
    }
    const killedAt = Date.now()
    doomed.signal(signal)
    await doomed.ended
    const pids = all.map(({ notes }) => Number(notes.lines()[0]))
    await eventually(() => pids.every(isGone))

    all.forEach(({ notes }) => notes.openGate())
    const next = await startProcess('worker', settings)
    const [earlySafe, earlyUnsafe, lateSafe, lateUnsafe] = await Promise.all(
      all.map(({ run }) => storyOf(product, run.id, 120_000)),
    )
    expect(typesOf(lateSafe!)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
    expect(typesOf(lateUnsafe!)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
    for (const events of [earlySafe!, lateSafe!]) expect(resultOf(events)?.result.code).toBe('OK')
    for (const events of [earlyUnsafe!, lateUnsafe!]) {
      expect(resultOf(events)?.result).toMatchObject({ success: false, code: 'INTERRUPTED' })
      expect(events.at(-1)).toMatchObject({ type: 'completed', status: 'failed' })
    }
    expect(all.map(({ notes }) => notes.lines().length)).toEqual([2, 1, 2, 1])
    expect(await findRunContradictions(product.parts.database.pool)).toEqual({})
    // The heartbeat is missed after 10 s; the rest is the machine.
    expect(resultOf(lateSafe!)!.ts - killedAt).toBeLessThan(90_000)
    await next.kill()
  },
  300_000,
)

test('what died with its worker before the deadline is not said to be still running; what runs again is', async () => {
  const doomed = await startProcess('worker', settings)
  await keepDynamicImport()
  const [safe, unsafe] = [await begin('repeatable', 'in 30 seconds'), await begin('noted', 'in 30 seconds')]
  await eventually(() => [safe, unsafe].every(({ notes }) => notes.lines().length === 1), 60_000)
  await doomed.kill()
  for (const each of [safe, unsafe]) expect(await told(each)).toEqual(['args'])
  const deadlines = 'SELECT 1 FROM run_steps WHERE run_id = ANY ($1::uuid[]) AND feedback_at > now()'
  const ids = [safe.run.id, unsafe.run.id]
  await eventually(async () => (await product.parts.database.pool.query(deadlines, [ids])).rowCount === 0, 40_000, 500)

  const next = await startProcess('worker', settings)
  expect(typesOf(await storyOf(product, unsafe.run.id, 120_000))).toEqual(['args', 'tool_result', 'completed'])
  await eventually(async () => (await told(safe)).includes('tool_choice'), 60_000)
  expect(safe.notes.lines().length).toBe(2)
  safe.notes.openGate()
  const story = await storyOf(product, safe.run.id, 120_000)
  expect(typesOf(story)).toEqual(['args', 'tool_choice', 'tool_result', 'completed'])
  await next.kill()
}, 300_000)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PluginHost } from '../../../src/runs/plugins/contract'
import { eventually } from '../../support/eventually'
import { createTestHost, fixtures, isAlive, makeCall } from './host-fixture'

let host: PluginHost
beforeAll(async () => {
  process.env['PUNCTUAL_TEST_CANARY'] = 'canary-7f3a'
  host = await createTestHost({ folders: [fixtures('hard')] })
})
afterAll(async () => {
  delete process.env['PUNCTUAL_TEST_CANARY']
  await host.close()
})

const run = (name: string) => host.run(makeCall(`local__${name}`))

test('an endless loop ends at timeoutMs as TIMEOUT', async () => {
  const begun = Date.now()
  const result = await run('endless_loop')
  expect(result).toMatchObject({ success: false, code: 'TIMEOUT', data: null })
  expect(result.error?.message).toBe('it did not end within 1500 ms')
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_500)
})

test('a handler in an endless loop counts as alive', async () => {
  const quick = await createTestHost({ folders: [fixtures('hard')], limits: { heartbeatMs: 100 } })
  const call = makeCall('local__endless_loop')
  await quick.run(call)
  expect(call.beats.length).toBeGreaterThan(5)
  await quick.close()
})

test.each(['eats_heap', 'eats_buffers'])('%s: eating 2 GB ends the handler and not us', async (name) => {
  const before = process.memoryUsage().rss
  const result = await run(name)
  expect(result).toMatchObject({ success: false, code: 'ERR' })
  expect(result.error?.message).toMatch(/^it used more than \d+ MB of memory$/)
  expect(process.memoryUsage().rss - before).toBeLessThan(1e9)
})

test.each([
  ['exits', 'its process ended with exit code 0 before it gave a result'],
  ['unhandled_rejection', 'unhandled rejection: nobody caught me'],
  ['throws', 'the printer is on fire'],
  ['crashes_at_load', 'bad luck at load'],
  ['exports_nothing', 'the plugin exports no function named handler'],
  ['makes_cycle', 'the handler returned something that is not JSON'],
])('%s: becomes an error that says why', async (name, message) => {
  expect(await run(name)).toMatchObject({ success: false, code: 'ERR', data: null, error: { message } })
})

test('a handler sees no environment and cannot speak in our name', async () => {
  const { data } = await run('reads_environment')
  expect(data).toMatchObject({ env: {}, send: 'undefined' })
  expect(JSON.stringify(data)).not.toContain('canary')
})

test('what a handler started dies with it', async () => {
  const call = makeCall('local__starts_grandchild')
  expect(await host.run(call)).toMatchObject({ code: 'OK' })
  const [beat] = call.beats
  const pid = typeof beat === 'object' && beat !== null && 'pid' in beat ? Number(beat['pid']) : 0
  expect(pid).toBeGreaterThan(1)
  await eventually(() => !isAlive(pid))
})

test('a handler in an endless loop does not outlive a host that was killed', async () => {
  const lonely = spawn(process.execPath, [fixtures('lonely-host.cjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said: unknown[] = await once(lonely.stdout, 'data')
  const pid = Number(String(said[0]))
  expect(isAlive(pid)).toBe(true)
  lonely.kill('SIGKILL')
  await eventually(() => !isAlive(pid))
})

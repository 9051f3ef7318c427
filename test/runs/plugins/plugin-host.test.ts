import type { PluginHost } from '../../../src/runs/plugins/contract'
import { eventually } from '../../support/eventually'
import { createTestHost, fixtures, isAlive, makeCall, matching } from './host-fixture'

let host: PluginHost
beforeAll(async () => {
  const settings = { ECHO_URL: 'http://echo.test', SECRET: 'not for plugins' }
  const folders = [fixtures('good'), fixtures('modules'), fixtures('hard')]
  host = await createTestHost({ folders, settings })
})
afterAll(() => host.close())

test('gives the handler its arguments without schedule, defaults filled in, and only its settings', async () => {
  const result = await host.run(makeCall('local__echo', { text: 'hi', schedule: 'in 2 minutes' }))
  const context = {
    ...{ language: 'en', runId: 'run-1', stepIndex: 0, sessionKey: 'session-1' },
    settings: { ECHO_URL: 'http://echo.test' },
  }
  const data = { args: { text: 'hi', times: 1 }, context }
  expect(result).toEqual({ success: true, code: 'OK', data, error: null })
})

test.each([
  [{}, "must have required property 'text'"],
  [{ text: 5 }, 'text must be string'],
  [{ text: 'a', times: 0 }, 'times must be >= 1'],
  [{ text: 'a', more: true }, 'must NOT have additional properties (more)'],
])('refuses wrong arguments %j', async (args, what) => {
  const { code, error } = await host.run(makeCall('local__echo', args))
  expect(code).toBe('ERR')
  expect(error).toEqual({ message: `the arguments of echo are wrong: ${what}`, reason: 'bad_arguments' })
})

test('says which setting is missing, before the handler runs', async () => {
  const bare = await createTestHost({ folders: [fixtures('good')], settings: { ECHO_URL: '' } })
  const { code, error } = await bare.run(makeCall('local__echo', { text: 'hi' }))
  expect(code).toBe('ERR')
  expect(error?.message).toBe('echo is not set up: the setting ECHO_URL is missing')
})

test('runs ES modules, sources and module.exports', async () => {
  const [module, source, exported] = await Promise.all([
    host.run(makeCall('local__es_module', { text: 'abc' })),
    host.run(makeCall('local__typescript', { a: 1 })),
    host.run(makeCall('local__default_export')),
  ])
  expect(module.data).toMatchObject({ sha256: matching(/^ba7816bf/) })
  expect(source.data).toEqual({ args: { a: 1 }, language: 'en' })
  expect(exported.data).toBe('from module.exports')
})

test('takes out of a result what PostgreSQL cannot keep', async () => {
  const { data } = await host.run(makeCall('local__odd_text'))
  expect(data).toEqual({ key: 'nul and half \uFFFD', number: null, date: '1970-01-01T00:00:00.000Z' })
})

test('a name that is no tool is a result, whatever it looks like', async () => {
  for (const name of ['constructor', '__proto__', 'local__../x', 'local__%2e%2e', 'local__\0', '/etc/passwd']) {
    expect(host.find(name)).toBeUndefined()
    expect(await host.run(makeCall(name))).toMatchObject({ code: 'ERR', data: null })
  }
})

test('cancel aborts the signal of a handler that heeds it; what it says then no longer counts', async () => {
  const controller = new AbortController()
  const call = makeCall('local__heeds_abort', {}, { signal: controller.signal })
  const result = host.run(call)
  await eventually(() => call.beats.includes('waiting'))
  controller.abort()
  expect(await result).toMatchObject({ success: false, code: 'CANCELLED' })
  expect(call.files.map(({ name }) => name)).toEqual(['farewell.txt'])
})

test('cancel kills a handler that does not heed it, after two seconds', async () => {
  const controller = new AbortController()
  const call = makeCall('local__ignores_abort', {}, { signal: controller.signal })
  const result = host.run(call)
  const beat = await eventually(() => call.beats.find((detail) => detail !== null))
  const begun = Date.now()
  controller.abort()
  expect(await result).toMatchObject({ success: false, code: 'CANCELLED' })
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_990)
  expect(isAlive(pidOf(beat))).toBe(false)
})

test('a refused heartbeat ends the call', async () => {
  const onHeartbeat = () => {
    throw new Error('nobody waits for this any more')
  }
  const result = await host.run(makeCall('local__sleeps', { ms: 30_000 }, { onHeartbeat }))
  expect(result).toMatchObject({ code: 'CANCELLED' })
})

test('asks right before the handler starts, and starts nothing that is not wanted any more', async () => {
  const unwanted = makeCall('local__sleeps', { ms: 10 }, { onStart: async () => false })
  expect(await host.run(unwanted)).toMatchObject({ code: 'CANCELLED' })
  expect(unwanted.beats).not.toContain('begun')
  const begun: boolean[] = []
  const wanted: ReturnType<typeof makeCall> = makeCall(
    'local__sleeps',
    { ms: 10 },
    {
      async onStart() {
        begun.push(wanted.beats.includes('begun'))
        return true
      },
    },
  )
  expect(await host.run(wanted)).toMatchObject({ code: 'OK' })
  expect(begun).toEqual([false])
})

test('closing ends what runs', async () => {
  const other = await createTestHost({ folders: [fixtures('good')] })
  const call = makeCall('local__sleeps', { ms: 60_000 })
  const result = other.run(call)
  await eventually(() => call.beats.includes('begun'))
  await other.close()
  expect(await result).toMatchObject({ code: 'CANCELLED' })
})

function pidOf(beat: unknown): number {
  return typeof beat === 'object' && beat !== null && 'pid' in beat ? Number(beat.pid) : 0
}

import { gunzipSync } from 'node:zlib'
import type { PluginHost } from '../../../../src/runs/plugins/contract'
import { eventually } from '../../../support/eventually'
import { makeCall } from '../host-fixture'
import { createMcpHost, everything } from './mcp-fixture'

let host: PluginHost
beforeAll(async () => {
  process.env['PUNCTUAL_TEST_CANARY'] = 'canary-7f3a'
  const settings = { GIVEN: 'from the settings' }
  const env = { ASKED: '${GIVEN}', OTHERWISE: '${NOT_GIVEN:-a default}' }
  host = await createMcpHost(
    { 'every thing': { ...everything, env, schedule: true }, quick: { ...everything, timeoutMs: 1_000 } },
    { settings, limits: { mcpStartMs: 40_000, heartbeatMs: 60_000 } },
  )
})
afterAll(async () => {
  delete process.env['PUNCTUAL_TEST_CANARY']
  await host.close()
})

const LONG = 'every_thing__trigger-long-running-operation'

test('lists the tools of the server under its name, with schedule where it was asked for', () => {
  expect(host.faults()).toEqual([])
  const echo = host.find('every_thing__echo')
  expect(echo).toMatchObject({ source: 'mcp', name: 'echo', schedulable: true, timeoutMs: 60_000, idempotent: true })
  expect(echo?.inputSchema['properties']).toMatchObject({ message: { type: 'string' }, schedule: {} })
  expect(host.find('quick__echo')).toMatchObject({ schedulable: false, timeoutMs: 1_000 })
  expect(host.list().every(({ aiName }) => /^[A-Za-z0-9_-]{1,64}$/.test(aiName))).toBe(true)
})

test('calls a tool, without schedule', async () => {
  const args = { message: 'hello', schedule: { when: 'in 2 minutes' } }
  const result = await host.run(makeCall('every_thing__echo', args))
  expect(result).toEqual({ success: true, code: 'OK', data: { text: 'Echo: hello' }, error: null })
})

test('gives a server only the environment that its entry names', async () => {
  const { data } = await host.run(makeCall('every_thing__get-env'))
  const text = JSON.stringify(data)
  expect(text).toContain('from the settings')
  expect(text).toContain('a default')
  expect(text).not.toContain('canary')
})

test('refuses wrong arguments before the server is asked', async () => {
  const { code, error } = await host.run(makeCall('every_thing__get-sum', { a: 'one', b: 2 }))
  expect(code).toBe('ERR')
  expect(error?.message).toBe('the arguments of every_thing__get-sum are wrong: a must be number')
})

test('progress of a long operation becomes heartbeats', async () => {
  const call = makeCall(LONG, { duration: 1, steps: 4, schedule: 'in 10 seconds' })
  const result = await host.run(call)
  expect(result.data).toEqual({ text: 'Long running operation completed. Duration: 1 seconds, Steps: 4.' })
  expect(call.beats).toEqual(expect.arrayContaining([1, 2, 3].map((progress) => ({ progress, total: 4 }))))
})

test('cancel ends a long operation at once', async () => {
  const controller = new AbortController()
  const call = makeCall(LONG, { duration: 40, steps: 400 }, { signal: controller.signal })
  const result = host.run(call)
  await eventually(() => call.beats.length > 0)
  controller.abort()
  const begun = Date.now()
  expect(await result).toMatchObject({ success: false, code: 'CANCELLED' })
  expect(Date.now() - begun).toBeLessThan(1_000)
  expect(await host.run(makeCall('every_thing__echo', { message: 'still here' }))).toMatchObject({ code: 'OK' })
})

test('an operation that takes longer than timeoutMs is a TIMEOUT', async () => {
  const result = await host.run(makeCall('quick__trigger-long-running-operation', { duration: 30, steps: 3 }))
  expect(result).toMatchObject({ code: 'TIMEOUT', error: { message: 'it did not end within 1000 ms' } })
})

test('pictures become files, what is meant for machines stays as it is', async () => {
  const call = makeCall('every_thing__get-tiny-image')
  const { data } = await host.run(call)
  expect(data).toMatchObject({ files: [{ name: 'image.png', content_type: 'image/png' }] })
  expect(
    Buffer.from(call.files[0]?.content ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  const weather = await host.run(makeCall('every_thing__get-structured-content', { location: 'Chicago' }))
  expect(weather.data).toMatchObject({ structured: { temperature: 36, humidity: 82 } })
})

test('files in answers become files, and an error of the tool an error', async () => {
  const zip = (data: string) =>
    makeCall('every_thing__gzip-file-as-resource', { name: 'a.gz', data, outputType: 'resource' })
  const call = zip('data:text/plain,hello')
  expect((await host.run(call)).data).toMatchObject({ files: [{ name: 'a.gz', content_type: 'application/gzip' }] })
  expect(gunzipSync(call.files[0]?.content ?? '').toString()).toBe('hello')
  const { code, error } = await host.run(zip('ftp://nowhere'))
  expect(code).toBe('ERR')
  expect(error?.message).toContain('Unsupported URL protocol')
})

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PluginHost } from '../../../../src/runs/plugins/contract'
import { eventually } from '../../../support/eventually'
import { fixtures, makeCall } from '../host-fixture'
import { createMcpHost } from './mcp-fixture'

let folder: string
let host: PluginHost | undefined
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-recorder-'))))
afterEach(async () => {
  await host?.close()
  host = undefined
  fs.rmSync(folder, { recursive: true })
})

const record = () => path.join(folder, 'record')
const recorder = (mode = 'plain') => ({
  command: process.execPath,
  args: [fixtures('mcp/recording-server.cjs'), record(), mode],
})
const heard = () => fs.readFileSync(record(), 'utf8')

test('cancel is told to the server, and schedule never', async () => {
  host = await createMcpHost({ recorder: { ...recorder(), schedule: true } })
  const controller = new AbortController()
  const args = { subject: 'cats', schedule: 'in 5 minutes' }
  const result = host.run(makeCall('recorder__wait', args, { signal: controller.signal }))
  await eventually(() => heard().includes('tools/call'))
  controller.abort()
  expect(await result).toMatchObject({ code: 'CANCELLED' })
  await eventually(() => heard().includes('notifications/cancelled'))
  expect(heard()).toContain('"arguments":{"subject":"cats"}')
  expect(heard()).not.toContain('schedule')
})

test('a large answer becomes a file', async () => {
  host = await createMcpHost({ recorder: recorder() })
  const call = makeCall('recorder__big')
  const { data } = await host.run(call)
  expect(data).toMatchObject({ file: { name: 'result.json' } })
  expect(call.files[0]?.content.byteLength).toBeGreaterThan(3e6)
})

test('a server that died is started again, with the tools it has now', async () => {
  host = await createMcpHost({ recorder: recorder() })
  expect(host.find('recorder__new_1')).toBeDefined()
  expect(await host.run(makeCall('recorder__die'))).toMatchObject({ success: false, code: 'ERR' })
  await eventually(() => host?.find('recorder__new_2'))
  expect(host.find('recorder__new_1')).toBeUndefined()
  expect(await host.run(makeCall('recorder__new_2'))).toMatchObject({ code: 'OK', data: { text: 'new.2' } })
  expect(host.faults()).toEqual([])
})

test('of two tools with one name the first counts', async () => {
  host = await createMcpHost({ twins: recorder('twins') })
  expect(host.list().map(({ aiName, name }) => [aiName, name])).toEqual([['twins__a_b', 'a.b']])
  expect(host.faults()).toEqual([{ folder: 'mcp: twins', reason: 'two tools would be named twins__a_b' }])
})

test('a server that says nothing keeps nobody from starting', async () => {
  const begun = Date.now()
  host = await createMcpHost({ silent: recorder('silent') }, { limits: { mcpStartMs: 300 } })
  expect(Date.now() - begun).toBeLessThan(5_000)
  expect(host.list()).toEqual([])
  const controller = new AbortController()
  const result = host.run(makeCall('silent__anything', {}, { signal: controller.signal }))
  controller.abort()
  expect(await result).toMatchObject({ code: 'CANCELLED' })
})

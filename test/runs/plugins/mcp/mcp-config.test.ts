import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readMcpConfig } from '../../../../src/runs/plugins/mcp/mcp-config'
import { containing, makeCall } from '../host-fixture'
import { createMcpHost } from './mcp-fixture'

let folder: string
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-mcp-'))))
afterEach(() => fs.rmSync(folder, { recursive: true }))

function read(content: unknown, variables: Record<string, string> = {}) {
  const file = path.join(folder, 'mcp.json')
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readMcpConfig(file, variables)
}

test('reads the common form, and stands settings in for names', () => {
  const headers = { Authorization: 'Bearer ${KEY}', Zone: '${ZONE:-UTC}' }
  const { servers, faults } = read(
    { mcpServers: { 'my server': { url: 'https://x.test/mcp', headers } } },
    { KEY: 'k' },
  )
  expect(faults).toEqual([])
  const expanded = { Authorization: 'Bearer k', Zone: 'UTC' }
  expect(servers).toEqual([{ name: 'my_server', url: 'https://x.test/mcp', headers: expanded }])
})

test.each<[string, object, string]>([
  ['nothing to reach', { args: [] }, "must have required property 'command'"],
  ['both ways', { command: 'x', url: 'http://x' }, 'must match exactly one schema'],
  ['another scheme', { url: 'file:///x' }, 'url must match pattern'],
  ['an old transport', { url: 'http://x', type: 'sse' }, 'type must be equal to one of the allowed values'],
  ['a missing setting', { url: 'http://x', headers: { a: '${HOME}' } }, 'the setting HOME is missing'],
  [
    'the name of every object',
    { url: 'http://x', headers: { a: '${constructor}' } },
    'the setting constructor is missing',
  ],
])('%s is a fault, and the others stay', (_what, entry, reason) => {
  const { servers, faults } = read({ mcpServers: { bad: entry, good: { command: 'x' } } })
  expect(servers).toEqual([{ name: 'good', command: 'x' }])
  expect(faults).toEqual([{ folder: containing('mcp.json: bad'), reason: containing(reason) }])
})

test('names that would hide another are faults; one that is switched off is not there', () => {
  const command = 'x'
  const off = { command, env: { a: '${MISSING}' }, disabled: true }
  const { servers, faults } = read({ mcpServers: { 'a b': { command }, 'a.b': { command }, local: { command }, off } })
  expect(servers.map(({ name }) => name)).toEqual(['a_b'])
  expect(faults.map(({ reason }) => reason)).toEqual([
    'the name a_b is taken by another server',
    'a server cannot be named "local"',
  ])
})

test.each(['{', '{}', '[]', '{"mcpServers":{"__proto__":{"command":"x"}}}'])('a file of %j is one fault', (content) => {
  const { servers, faults } = read(content)
  expect([servers.length, faults.length]).toEqual([0, 1])
})

test('only the usual file may be missing', () => {
  expect(readMcpConfig(path.join(folder, 'other.json'), {}).faults).toHaveLength(1)
  expect(readMcpConfig(path.resolve('mcp.json'), {}).faults).toEqual([])
})

test('servers that cannot be reached are faults, and calling them says so', async () => {
  const gone = { command: process.execPath, args: ['-e', 'process.exit(3)'] }
  const host = await createMcpHost({
    missing: { command: 'no-such-program' },
    gone,
    closed: { url: 'http://127.0.0.1:9/' },
  })
  expect(host.faults().map(({ folder: place }) => place)).toEqual(['mcp: missing', 'mcp: gone', 'mcp: closed'])
  const { code, error } = await host.run(makeCall('missing__tool'))
  expect(code).toBe('ERR')
  expect(error?.message).toMatch(/^the MCP server missing cannot be reached: .*ENOENT/)
  await host.close()
})

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readRegistry } from '../../../src/runs/plugins/registry'
import { containing } from './host-fixture'

let root: string
beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-plugins-'))))
afterEach(() => fs.rmSync(root, { recursive: true }))

const GOOD = { name: 'good', description: 'Does good.', inputSchema: { type: 'object', properties: {} } }

function put(folder: string, config: unknown, entry = 'index.js'): string {
  const dir = path.join(root, folder)
  fs.mkdirSync(dir, { recursive: true })
  fs.writeFileSync(path.join(dir, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  fs.writeFileSync(path.join(dir, entry), 'exports.handler = async () => 1')
  return dir
}

test('fills in what a config leaves out', () => {
  put('one', GOOD)
  const { plugins, faults } = readRegistry([root])
  expect(faults).toEqual([])
  expect([...plugins.keys()]).toEqual(['local__good'])
  expect(plugins.get('local__good')?.config).toEqual({
    ...GOOD,
    ...{ timeoutMs: 60_000, cooldownMs: 0, idempotent: false, deferred: false, settings: [], meta: {} },
  })
})

test.each<[string, unknown, string]>([
  ['no JSON', '{', 'JSON'],
  ['no object', '[]', 'config.json: must be object'],
  ['no name', { ...GOOD, name: undefined }, "must have required property 'name'"],
  ['a path for a name', { ...GOOD, name: '../x' }, 'name must match pattern'],
  ['NUL in a name', { ...GOOD, name: 'a\0' }, 'name must match pattern'],
  ['a name too long for a model', { ...GOOD, name: 'a'.repeat(58) }, 'name must match pattern'],
  ['a hasty timeout', { ...GOOD, timeoutMs: 99 }, 'timeoutMs must be >= 100'],
  ['an endless timeout', { ...GOOD, timeoutMs: 3_600_001 }, 'timeoutMs must be <= 3600000'],
  ['an unknown field', { ...GOOD, timeout: 5 }, 'must NOT have additional properties (timeout)'],
  ['input that is no object', { ...GOOD, inputSchema: { type: 'string' } }, 'inputSchema.type must be equal'],
  [
    'an input schema that is none',
    { ...GOOD, inputSchema: { type: 'object', properties: { a: { type: 'nothing' } } } },
    'config.json: inputSchema: ',
  ],
  ['too much memory', { ...GOOD, meta: { memoryMb: 2_048 } }, 'meta.memoryMb must be <= 1024'],
  ['a setting with a strange name', { ...GOOD, settings: ['A-B'] }, 'settings.0 must match pattern'],
  ['a prototype', '{"name":"a","__proto__":{"x":1}}', 'forbidden prototype'],
])('%s is a fault, and the others stay', (_what, config, reason) => {
  const folder = put('bad', config)
  put('good', GOOD)
  const { plugins, faults } = readRegistry([root])
  expect(faults).toEqual([{ folder, reason: containing(reason) }])
  expect([...plugins.keys()]).toEqual(['local__good'])
})

test('names a folder without config or handler, and one that is not there', () => {
  fs.mkdirSync(path.join(root, 'empty'))
  fs.rmSync(path.join(put('headless', GOOD), 'index.js'))
  const { faults } = readRegistry([root, path.join(root, 'nowhere')])
  expect(faults.map(({ reason }) => reason)).toEqual([
    'config.json is missing',
    'it has no handler: index.js or index.mjs is missing',
    containing('ENOENT'),
  ])
})

test('of two plugins with one name the first counts', () => {
  const first = put('a', GOOD)
  const second = put('b', GOOD)
  const { plugins, faults } = readRegistry([root])
  expect(path.dirname(plugins.get('local__good')?.file ?? '')).toBe(fs.realpathSync(first))
  expect(faults).toEqual([{ folder: second, reason: containing('the name good is taken') }])
})

test('links out of the folder are refused: of a plugin, of its handler, of its config', () => {
  const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'punctual-outside-'))
  fs.writeFileSync(path.join(outside, 'config.json'), JSON.stringify(GOOD))
  fs.writeFileSync(path.join(outside, 'index.js'), '')
  fs.symlinkSync(outside, path.join(root, 'folder'))
  const handler = put('handler', GOOD)
  fs.rmSync(path.join(handler, 'index.js'))
  fs.symlinkSync(path.join(outside, 'index.js'), path.join(handler, 'index.js'))
  const config = put('config', GOOD)
  fs.rmSync(path.join(config, 'config.json'))
  fs.symlinkSync(path.join(outside, 'config.json'), path.join(config, 'config.json'))
  const { plugins, faults } = readRegistry([root])
  expect(plugins.size).toBe(0)
  expect(faults.map(({ reason }) => reason)).toEqual([
    'config.json is a link that leads out of its folder',
    'folder is a link that leads out of its folder',
    'index.js is a link that leads out of its folder',
  ])
  fs.rmSync(outside, { recursive: true })
})

test('takes the folder of one plugin, too', () => {
  expect(readRegistry([put('single', GOOD, 'index.mjs')]).plugins.has('local__good')).toBe(true)
})

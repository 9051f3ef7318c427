import { readdirSync } from 'node:fs'
import type { RunnableTool } from '../../src/runs/plugins/contract'
import { SHIPPED_PLUGINS } from '../../src/runs/plugins/registry'
import { createTools } from '../../src/build/tools'
import { en } from '../../web/src/texts/en'
import { zh } from '../../web/src/texts/zh'

const shipped = readdirSync(SHIPPED_PLUGINS).filter((folder) => !folder.startsWith('_'))
/** Nothing is called here: the tools are only asked for their names. */
const plugins = { list: () => shipped.map((name) => ({ aiName: `local__${name}` }) as RunnableTool) }
const tools = createTools({ plugins } as unknown as Parameters<typeof createTools>[0])()

/** As the page looks them up: one for each action of `cron`; what is scheduled is told with its own words and time. */
const CRON_ACTIONS = ['add', 'list', 'remove'].map((action) => `cron:${action}`)
const builtIn = tools
  .map(({ name }) => name)
  .filter((name) => !name.startsWith('local__') && name !== 'schedule_private_message')
  .flatMap((name) => (name === 'cron' ? CRON_ACTIONS : [name]))

describe.each([
  ['English', en],
  ['Chinese', zh],
])('in %s', (_language, { calls, plugins: pluginNames }) => {
  test.each(builtIn)('%s has a name that people read', (name) => {
    expect(calls.names[name]).toMatch(/^[^_]+$/)
  })
  test.each(shipped)('the plugin %s has a name that people read', (name) => {
    expect(pluginNames[name]).toMatch(/^[^_]+$/)
  })
})

test('names are of tools that there are', () => {
  expect(Object.keys(en.calls.names).sort()).toEqual([...builtIn].sort())
  expect(Object.keys(en.plugins).sort()).toEqual([...shipped].sort())
})

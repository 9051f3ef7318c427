import { SCHEDULE_SCHEMA } from '../../../src/runs/plugins/schedule-schema'
import { useShippedPlugins } from './shipped-fixture'

const { open } = useShippedPlugins()

const NAMES = ['github_repo_info', 'html_to_app', 'image_draw', 'qq_message_markGroupAsRead', 'realtime_search']

it('ships the five, and none is left out', async () => {
  const host = await open()
  expect(host.faults()).toEqual([])
  expect(host.list().map(({ name }) => name)).toEqual(NAMES)
})

it.each(NAMES)('%s can be scheduled, in the words that its users know', async (name) => {
  const host = await open()
  const tool = host.find(`local__${name}`)
  expect(tool).toMatchObject({ schedulable: true, deferred: false, source: 'plugin' })
  expect(tool?.inputSchema).toMatchObject({ properties: { schedule: SCHEDULE_SCHEMA } })
})

it.each(NAMES)(
  '%s says what it is for in Chinese and in English, with a description of every argument',
  async (name) => {
    const host = await open()
    const { description = '', inputSchema = {} } = host.find(`local__${name}`) ?? {}
    const { properties = {} } = inputSchema as { properties?: Record<string, { description?: string }> }
    for (const text of [description, ...Object.values(properties).map((one) => one.description ?? '')].slice(0, -1)) {
      expect(text).toMatch(/\p{Script=Han}.* \/ .*[a-z]/su)
    }
  },
)

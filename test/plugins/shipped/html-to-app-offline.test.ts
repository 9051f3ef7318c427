import { Script } from 'node:vm'
import { startOfflineModel } from '../../../src/offline-model'
import type { OfflineModel } from '../../../src/offline-model'
import { matching, useShippedPlugins } from './shipped-fixture'
import { FILES, remoteAddresses, unpack } from './web-app'

const { run } = useShippedPlugins()

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

it.each([
  ['做一个计算器应用', '计算器', 'zh', /data-key="×"/],
  ['a pomodoro timer', 'Tomato', 'en', /role="timer"/],
  ['记待办事项', '清单', 'zh', /placeholder="写点什么……"/],
  ['keeps notes', 'Notes', 'en', /placeholder="Write something…"/],
  ['a <b>weather</b> station\nwith wind', 'Weather', 'en', /<p>a &lt;b&gt;weather&lt;\/b&gt; station\nwith wind<\/p>/],
] as const)(
  'the offline model writes a page for "%s" that really works offline',
  async (description, name, language, part) => {
    const args = { description, app_name: name, details: 'nothing more' }
    const ran = await run('html_to_app', args, { OPENAI_BASE_URL: offline.baseUrl, language })
    expect(ran.result).toMatchObject({ success: true, data: { app_name: name, summary: matching(/\/files\/1/) } })
    const app = unpack(ran)
    expect(app.names).toEqual(FILES)
    const page = app.read('index.html')
    expect(page).toMatch(part)
    expect(page).toContain(`<title>${name}</title>`)
    expect(remoteAddresses(page)).toEqual([])
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => code)
    expect(scripts).toHaveLength(2)
    for (const code of scripts) expect(() => new Script(code)).not.toThrow()
  },
)

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Script } from 'node:vm'
import { startLocalService } from './local-service'
import type { Answer, Asked, LocalService } from './local-service'
import { matching, refusal, useShippedPlugins } from './shipped-fixture'
import { FILES, remoteAddresses, unpack } from './web-app'

const { run } = useShippedPlugins()

const PAGE = `<!doctype html>
<html lang="en"><head><title>Dice</title><base href="/x/"><link rel="manifest" href="/other.json"></head>
<body><a href="https://example.org">about dice</a><button onclick="this.textContent=Math.ceil(Math.random()*6)">Roll</button></body></html>`
const REMOTE = PAGE.replace('</head>', '<script src="https://cdn.example.org/a.js"></script></head>')

let pages: string[] = []
/** Answers chat completions with the pages of the test, one after the other. */
function serveModel({ method, path: asked, headers, body }: Asked): Answer {
  if (headers.authorization !== 'Bearer sk-good') return { status: 401, body: { error: { message: 'Bad key' } } }
  if (method === 'GET' && asked === '/v1/models') return { body: { data: [{ id: 'text-embed' }, { id: 'writer-1' }] } }
  if (method !== 'POST' || asked !== '/v1/chat/completions')
    return { status: 404, body: { error: { message: 'Unknown' } } }
  if ((body as { model?: string }).model !== 'writer-1')
    return { status: 404, body: { error: { message: 'No such model' } } }
  return {
    body: { choices: [{ message: { role: 'assistant', content: pages.shift() ?? '' }, finish_reason: 'stop' }] },
  }
}

let model: LocalService
beforeAll(async () => {
  model = await startLocalService(serveModel)
})
afterAll(() => model.close())
beforeEach(() => {
  model.asked.length = 0
  model.answerWith(undefined)
})

const make = (written: string[], args = {}, settings = {}) => {
  pages = [...written]
  const given = { description: 'Rolls a die', app_name: 'Dice', ...args }
  return run('html_to_app', given, { OPENAI_BASE_URL: `${model.url}/v1/`, OPENAI_API_KEY: 'sk-good', ...settings })
}
type Chat = { messages: { role: string; content: string }[] }
const chats = () => model.asked.filter(({ method }) => method === 'POST').map(({ body }) => body as Chat)

it('packs the page that the model wrote as an installable offline app', async () => {
  const ran = await make([`Here it is:\n\`\`\`html\n${PAGE}\n\`\`\`\nEnjoy!`], { details: 'six sides' })
  expect(ran.result).toMatchObject({
    success: true,
    data: { summary: matching(/^The app "Dice" is ready: \/files\/1 /), file: { name: 'dice.zip' }, files: FILES },
  })
  const app = unpack(ran)
  expect(app.names).toEqual(FILES)
  const page = app.read('index.html')
  expect(page).toMatch(/^<!doctype html>/)
  expect(page).toContain('Roll</button>')
  expect(page).toMatch(/<\/script>\s*<\/body><\/html>$/)
  expect(page.match(/rel="manifest"/g)).toHaveLength(1)
  expect(page).not.toContain('<base')
  expect(page).toContain(`http-equiv="Content-Security-Policy" content="default-src 'none'`)
  expect(chats()).toHaveLength(1)
  const [system, user] = chats()[0]?.messages ?? []
  expect(system?.content).toMatch(/self-contained[\s\S]*Task: html_page\nLanguage: en$/)
  expect(user?.content).toBe('App name: Dice\nDescription: Rolls a die\nDetails: six sides')
})

it('has a manifest that browsers can install, with icons that are there', async () => {
  const app = unpack(await make([PAGE], { app_name: '掷骰子 Dice!' }, { language: 'zh' }))
  const manifest = JSON.parse(app.read('manifest.webmanifest')) as {
    icons: { src: string; sizes: string; type: string }[]
  }
  expect(manifest).toMatchObject({
    ...{ name: '掷骰子 Dice', short_name: '掷骰子 Dice', lang: 'zh-CN' },
    ...{ start_url: './index.html', scope: './', display: 'standalone', theme_color: matching(/^#[0-9a-f]{6}$/) },
  })
  for (const { src, sizes, type } of manifest.icons) {
    expect(app.names).toContain(src)
    if (type === 'image/svg+xml') expect(app.read(src)).toMatch(/^<svg /)
    else expect(`${app.bytes(src).readUInt32BE(16)}x${app.bytes(src).readUInt32BE(20)}`).toBe(sizes)
  }
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512', '512x512'])
})

it('keeps every file of the page in the service worker, and refers to nothing outside', async () => {
  const app = unpack(await make([PAGE.replace(/<a .*?<\/a>/, '')]))
  const worker = app.read('service-worker.js')
  const kept = JSON.parse(/const FILES = (\[.*\])/.exec(worker)?.[1] ?? '[]') as string[]
  expect(kept).toEqual(['./', ...FILES.slice(0, 5)])
  expect(() => new Script(worker)).not.toThrow()
  for (const name of app.names.filter((one) => !one.endsWith('.png'))) {
    expect([name, remoteAddresses(app.read(name))]).toEqual([name, []])
    expect(app.read(name)).not.toMatch(/__[A-Z]+__/)
  }
})

it('has launchers that a shell understands and that are executable once unpacked', async () => {
  const ran = await make([PAGE])
  const folder = mkdtempSync(path.join(tmpdir(), 'app-'))
  try {
    writeFileSync(path.join(folder, 'app.zip'), ran.files[0]?.content ?? '')
    execFileSync('python3', ['-c', UNZIP, folder])
    for (const name of ['open.sh', 'open.command']) {
      execFileSync('sh', ['-n', path.join(folder, name)])
      expect(statSync(path.join(folder, name)).mode & 0o111).not.toBe(0)
    }
    execFileSync(process.execPath, ['--check', path.join(folder, 'serve.js')])
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(unpack(ran).read('open.bat')).toMatch(/^@echo off\r\n(?:[^\n]*\r\n)*$/)
})
/** Python's own unzip leaves the rights out; they are in the entries. */
const UNZIP = `import sys, os, zipfile
archive = zipfile.ZipFile(os.path.join(sys.argv[1], 'app.zip'))
assert archive.testzip() is None
for entry in archive.infolist():
    place = archive.extract(entry, sys.argv[1])
    if entry.external_attr >> 16: os.chmod(place, (entry.external_attr >> 16) & 0o777)`

it('sends a page that needs the network back to the model once', async () => {
  const { result } = await make([REMOTE, PAGE])
  expect(result.success).toBe(true)
  expect(chats()[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(chats()[1]?.messages.at(-1)?.content).toContain('a tag loads something from the network')
})

it.each([
  ['a remote script', REMOTE],
  ['a remote style', PAGE.replace('</head>', '<style>@import "//fonts.example.org/a.css"</style></head>')],
  ['a remote picture', PAGE.replace('</body>', '<img alt="" src=https://example.org/a.png></body>')],
  [
    'a remote module',
    PAGE.replace('</body>', '<script type="module">import a from "https://esm.sh/a"</script></body>'),
  ],
  ['a remote request', PAGE.replace('</body>', "<script>fetch('https://api.example.org/x')</script></body>")],
  ['no page', 'I am sorry, I cannot do that.'],
])('gives up when the page has %s twice', async (_case, page) => {
  expect((await make([page, page])).result).toMatchObject(refusal(/cannot be used: (Not offline|There is no)/))
})

it.each<[string, Answer, RegExp]>([
  ['401', { status: 401, body: { error: { message: 'Bad key' } } }, /check the setting OPENAI_API_KEY/],
  ['429', { status: 429, body: {} }, /too many requests/],
  ['500', { status: 500, body: 'x' }, /failed \(500\)/],
  ['no JSON', { body: 'x' }, /not usable JSON/],
  ['a cut page', { body: { choices: [{ message: { content: '<html>' }, finish_reason: 'length' }] } }, /was cut off/],
])('says what %s means', async (_case, answer, reason) => {
  model.answerWith(answer)
  expect((await make([], {}, { OPENAI_MODEL: 'writer-1' })).result).toMatchObject(refusal(reason))
})

it('names the settings when there is no model', async () => {
  const { result } = await run('html_to_app', { description: 'x', app_name: 'x' })
  expect(result).toMatchObject(refusal(/OPENAI_API_KEY or OPENAI_BASE_URL/))
})

import { startOfflineModel } from '../../../src/offline-model'
import { encodePng } from '../../../src/offline-model/images/canvas'
import { startLocalService } from './local-service'
import type { Answer, Asked, LocalService } from './local-service'
import { matching, refusal, useShippedPlugins } from './shipped-fixture'

const { run, open } = useShippedPlugins()

const PNG = encodePng(2, 2, Buffer.alloc(12, 200))
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex')

/** As OpenAI answers: base64 from the newer models, which refuse `response_format`; addresses from the older ones. */
function serveImages({ method, path, headers, body }: Asked): Answer {
  if (path === '/files/cat.jpg') return headers.authorization === 'Bearer sk-good' ? { body: JPEG } : { status: 403 }
  if (method !== 'POST' || path !== '/v1/images/generations')
    return { status: 404, body: { error: { message: 'Unknown' } } }
  if (headers.authorization !== 'Bearer sk-good') {
    return {
      status: 401,
      body: { error: { message: `Incorrect API key: ${headers.authorization?.slice(7)}`, type: 'x' } },
    }
  }
  const request = body as { model: string; prompt: string; n: number; size?: string; response_format?: string }
  if (request.response_format)
    return { status: 400, body: { error: { message: "Unknown parameter: 'response_format'." } } }
  if (request.size === '1x1') return { status: 400, body: { error: { message: 'Invalid size' } } }
  const one =
    request.model === 'dall-e-3'
      ? { url: `http://${headers.host}/files/cat.jpg`, revised_prompt: 'A fluffy cat' }
      : { b64_json: PNG.toString('base64') }
  return { body: { created: 1, data: Array(request.n).fill(one) } }
}

let images: LocalService
beforeAll(async () => {
  images = await startLocalService(serveImages)
})
afterAll(() => images.close())
afterEach(() => images.answerWith(undefined))

const configured = () => ({ OPENAI_BASE_URL: `${images.url}/v1`, OPENAI_API_KEY: 'sk-good' })

it('draws by the images API and gives the pictures away as files', async () => {
  const { result, files } = await run('image_draw', { prompt: 'a cat', size: '1024x1024', n: 2 }, configured())
  expect(result).toMatchObject({
    success: true,
    data: {
      summary: '"a cat" is drawn: /files/1 /files/2',
      images: [
        { name: 'image-1.png', content_type: 'image/png', size: PNG.length },
        { name: 'image-2.png', url: '/files/2' },
      ],
    },
  })
  expect(files.map(({ content }) => Buffer.from(content))).toEqual([PNG, PNG])
  expect(images.asked.at(-1)?.body).toEqual({ model: 'gpt-image-1', prompt: 'a cat', size: '1024x1024', n: 2 })
})

it('fetches pictures that are answered as addresses', async () => {
  const settings = { ...configured(), OPENAI_IMAGE_MODEL: 'dall-e-3', language: 'zh' as const }
  const { result, files } = await run('image_draw', { prompt: '一只猫' }, settings)
  expect(result.data).toMatchObject({
    summary: '“一只猫”画好了：/files/1',
    revised_prompt: 'A fluffy cat',
    images: [{ name: 'image-1.jpg', content_type: 'image/jpeg' }],
  })
  expect(Buffer.from(files[0]?.content ?? [])).toEqual(JPEG)
})

it('does not fetch a picture from inside', async () => {
  images.answerWith({ body: { data: [{ url: 'http://127.0.0.1:1/metadata' }] } })
  const { result } = await run('image_draw', { prompt: 'a cat' }, configured())
  expect(result).toMatchObject(refusal(/not an address of the open internet/))
})

it.each<[string, Answer, RegExp]>([
  [
    '429',
    { status: 429, headers: { 'retry-after': '20' }, body: { error: { message: 'Rate limit' } } },
    /try again in 20 s\. \(Rate/,
  ],
  ['500', { status: 500, body: 'x' }, /The model endpoint failed \(500\)/],
  ['404', { status: 404, body: { error: { message: 'no such model' } } }, /\(404\)\. \(no such model\)/],
  ['no JSON', { body: 'x' }, /not usable JSON/],
  ['no picture', { body: { data: [] } }, /no picture/],
  ['a picture that is none', { body: { data: [{ b64_json: 'aGVsbG8=' }] } }, /no picture/],
])('says what %s means', async (_case, answer, reason) => {
  images.answerWith(answer)
  expect((await run('image_draw', { prompt: 'a cat' }, configured())).result).toMatchObject(refusal(reason))
})

it('names the settings, and never shows the key', async () => {
  expect((await run('image_draw', { prompt: 'a cat' })).result).toMatchObject(
    refusal(/OPENAI_API_KEY or OPENAI_BASE_URL/),
  )
  const { result } = await run('image_draw', { prompt: 'a cat' }, { ...configured(), OPENAI_API_KEY: 'sk-wrong' })
  expect(result).toMatchObject(refusal(/check the setting OPENAI_API_KEY\. \(Incorrect API key: \*\*\*\)/))
})

it.each<[object, RegExp]>([
  [{}, /prompt/],
  [{ prompt: '' }, /prompt/],
  [{ prompt: 'x', n: 9 }, /n must be <= 4/],
  [{ prompt: 'x', size: 'huge' }, /size/],
])('refuses the arguments %j', async (args, reason) => {
  expect((await run('image_draw', { ...args }, configured())).result).toMatchObject(refusal(reason))
})

it('is ended when the run is cancelled', async () => {
  const silent = await startLocalService(() => ({ headers: { 'content-length': '9' }, body: 'x' }))
  const host = await open({ OPENAI_BASE_URL: silent.url })
  const controller = new AbortController()
  const ending = host.run({
    ...{ aiName: 'local__image_draw', args: { prompt: 'a cat' }, runId: 'r', stepIndex: 0, sessionKey: null },
    ...{ language: 'en', signal: controller.signal, onHeartbeat: () => undefined },
    onStart: async () => true,
    onFile: () => Promise.reject(new Error('no file is expected')),
  })
  while (silent.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  controller.abort()
  expect(await ending).toMatchObject({ success: false, code: 'CANCELLED' })
  await silent.close()
})

it('draws with the offline model too', async () => {
  const offline = await startOfflineModel()
  const { result, files } = await run(
    'image_draw',
    { prompt: '一只黑猫' },
    { OPENAI_BASE_URL: offline.baseUrl, language: 'zh' },
  )
  expect(result).toMatchObject({ success: true, data: { summary: matching(/^“一只黑猫”画好了：/) } })
  expect(
    Buffer.from(files[0]?.content ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  await offline.close()
})

import { inflateSync } from 'node:zlib'
import OpenAI from 'openai'
import { startOfflineModel } from '../../src/offline-model'
import type { OfflineModel } from '../../src/offline-model'

let offline: OfflineModel
let client: OpenAI
beforeAll(async () => {
  offline = await startOfflineModel()
  client = new OpenAI({ baseURL: offline.baseUrl, apiKey: 'none', maxRetries: 0 })
})
afterAll(() => offline.close())

async function draw(prompt: string, more: { n?: number; size?: '1024x1024' | '1536x1024' } = {}): Promise<Buffer[]> {
  const { data = [] } = await client.images.generate({ model: 'any', prompt, ...more })
  return data.map((picture) => Buffer.from(picture.b64_json ?? '', 'base64'))
}

/** Reads a PNG as far as these tests need: its size, and the colours in it. */
function readPng(png: Buffer): { width: number; height: number; colors: Set<string> } {
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const length = png.readUInt32BE(33)
  expect(png.toString('latin1', 37, 41)).toBe('IDAT')
  const rows = inflateSync(png.subarray(41, 41 + length))
  expect(rows).toHaveLength(height * (1 + width * 3))
  const colors = new Set<string>()
  for (let at = 0; at < rows.length; at += 1 + width * 3) {
    for (let x = 0; x < width; x += 7) colors.add(rows.toString('hex', at + 1 + x * 3, at + 4 + x * 3))
  }
  return { width, height, colors }
}

it('draws a PNG that can be read, by the words', async () => {
  const [cat] = await draw('一只黑猫')
  const { width, height, colors } = readPng(cat ?? Buffer.alloc(0))
  expect([width, height]).toEqual([512, 512])
  expect(colors).toContain('111827')
  const [moon] = await draw('a red house under the moon')
  expect(readPng(moon ?? Buffer.alloc(0)).colors).toContain('dc2626')
  expect(readPng(moon ?? Buffer.alloc(0)).colors).toContain('1e293b')
})

it('draws as many as are asked for, in the size that is asked for', async () => {
  const pictures = await draw('three dogs by the sea', { n: 3, size: '1536x1024' })
  expect(pictures.map((picture) => readPng(picture).width)).toEqual([1536, 1536, 1536])
  expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(3)
})

it('draws the same for the same words, and something for words it does not know', async () => {
  const [first, second] = [await draw('quarterly results'), await draw('quarterly results')]
  expect(first).toEqual(second)
  expect(readPng(first[0] ?? Buffer.alloc(0)).colors.size).toBeGreaterThan(3)
})

it.each<[string, object]>([
  ['no prompt', {}],
  ['an empty prompt', { prompt: ' ' }],
  ['a prompt that is too long', { prompt: 'x'.repeat(40_000) }],
  ['too many', { prompt: 'x', n: 11 }],
  ['half a picture', { prompt: 'x', n: 0.5 }],
  ['a size that is none', { prompt: 'x', size: 'large' }],
  ['a size that is too large', { prompt: 'x', size: '9999x9999' }],
  ['an address', { prompt: 'x', response_format: 'url' }],
])('refuses %s in the shape clients know', async (_case, body) => {
  const answer = await fetch(`${offline.baseUrl}/images/generations`, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
})

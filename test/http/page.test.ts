import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance

beforeAll(async () => {
  house = await buildAppFixture()
  app = await buildApp(house)
})
afterAll(async () => {
  await app.close()
  await house.close()
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
async function assets(): Promise<string[]> {
  return [...(await get('/')).body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!)
}

test('the page is served to anyone, and asked for again each time', async () => {
  const answer = await get('/')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-cache')
  const again = await get('/', { 'if-none-match': String(answer.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('its files have their hash in their name and may be kept for ever', async () => {
  const urls = await assets()
  expect(urls).toHaveLength(2)
  for (const url of urls) {
    expect(url).toMatch(/-[\w-]{8}\.(js|css)$/)
    const answer = await get(url)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-type']).toMatch(/^text\/(javascript|css)/)
  }
})

test('files are sent as the client can read them', async () => {
  for (const url of await assets()) {
    const plain = await get(url)
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await get(url, { 'accept-encoding': 'gzip' })
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    for (const { headers } of [plain, brotli, gzip]) {
      expect(headers['vary']).toContain('accept-encoding')
      expect(headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/)
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
  }
})

test('the first load is under 100 kB compressed', async () => {
  const urls = ['/', '/icon.svg', ...(await assets())]
  const sizes = await Promise.all(urls.map((url) => get(url, { 'accept-encoding': 'gzip' })))
  const total = sizes.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)
  expect(total).toBeGreaterThan(10_000)
  expect(total).toBeLessThan(100_000)
})

test('the page may run nothing but its own files and ask nobody but us', async () => {
  const answer = await get('/')
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(answer.body).not.toMatch(/https?:\/\/|<script(?![^>]*src=)|style=|\son\w+=/)
})

test('nothing else of the folder is served', async () => {
  for (const url of ['/src/main.tsx', '/assets/', '/assets/../index.html.br', '/index.html.gz']) {
    expect((await get(url)).statusCode).toBe(404)
  }
})

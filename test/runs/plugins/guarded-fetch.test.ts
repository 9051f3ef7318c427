import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { PluginHost } from '../../../src/runs/plugins/contract'
import { createTestHost, fixtures, makeCall } from './host-fixture'

let server: http.Server
let origin: string
let host: PluginHost
const seen: { path: string; body: string }[] = []

beforeAll(async () => {
  server = http.createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  host = await createTestHost({ folders: [fixtures('good')], settings: { BASE_URL: `${origin}/api/v1` } })
})
afterAll(async () => {
  await host.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const path = request.url ?? ''
  seen.push({ path, body })
  if (path === '/zipped') return void response.setHeader('content-encoding', 'gzip').end(gzipSync('unzipped'))
  if (path === '/large') return void response.end('x'.repeat(2_000))
  if (path === '/away') return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  if (path === '/here') return void response.writeHead(302, { location: '/zipped' }).end()
  response.setHeader('content-type', 'text/plain').end(`${request.method} ${body}`)
}

const get = (path: string, init = {}) => host.run(makeCall('local__fetches', { url: path, init }))

test('reaches the origin of a setting although it is private', async () => {
  const init = { method: 'POST', body: 'hello' }
  const { data } = await get(`${origin}/other`, init)
  expect(data).toEqual({ status: 200, type: 'text/plain', url: `${origin}/other`, text: 'POST hello' })
})

test('follows redirects there, and unzips', async () => {
  const { data } = await get(`${origin}/here`)
  expect(data).toMatchObject({ status: 200, url: `${origin}/zipped`, text: 'unzipped' })
})

test.each([
  'http://127.0.0.1:1/',
  'http://localhost:9/',
  'http://2130706433/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
])('refuses %s', async (url) => {
  const { code, error } = await get(url)
  expect(code).toBe('ERR')
  expect(error?.message).toMatch(/is not an address of the open internet|only http and https/)
})

test('refuses a redirect from a trusted origin to a private address', async () => {
  const { error } = await get(`${origin}/away`)
  expect(error?.message).toBe('169.254.169.254 is not an address of the open internet')
})

test('refuses an answer that is too large', async () => {
  const { error } = await get(`${origin}/large`, { maxBytes: 1_000 })
  expect(error?.message).toBe('the answer of 127.0.0.1 is larger than 1000 bytes')
})

test('without the setting the same address is refused, and nobody calls it', async () => {
  const bare = await createTestHost({ folders: [fixtures('good')] })
  const { code } = await bare.run(makeCall('local__fetches', { url: `${origin}/secret` }))
  expect(code).toBe('ERR')
  expect(seen.map(({ path }) => path)).not.toContain('/secret')
})

import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { createEgress } from '../../src/egress/egress'
import type { Egress } from '../../src/egress/egress'
import { readTrustedHosts } from '../../src/egress/trusted-hosts'
import { findFreePort } from '../support/services'

let egress: Egress
let server: Server
let base: string
let answer: RequestListener
let seen: IncomingMessage[]

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  egress = createEgress({ trustedHosts: ['127.0.0.1'] })
})
beforeEach(() => {
  seen = []
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

test('posts a body and brings back status, headers and text', async () => {
  answer = (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => response.writeHead(201, { 'x-said': 'yes' }).end(`${request.method} ${body} 你好`))
  }
  const got = await egress.request(`${base}/hook`, { method: 'POST', body: 'hi', headers: { 'x-a': '1' } })
  expect(got).toMatchObject({ status: 201, text: 'POST hi 你好', truncated: false })
  expect(got.headers['x-said']).toBe('yes')
  expect(seen[0]?.headers).toMatchObject({ 'x-a': '1', 'user-agent': 'Punctual' })
})

test('a longer answer is cut at the cap, and the rest is never read', async () => {
  answer = (_request, response) => void response.end('x'.repeat(200_000))
  expect((await egress.request(base)).text).toHaveLength(64 * 1024)
  expect(await egress.request(base, { maxResponseBytes: 10 })).toMatchObject({ text: 'xxxxxxxxxx', truncated: true })
  expect(await egress.request(base, { maxResponseBytes: 200_000 })).toMatchObject({ truncated: false })
})

test('the deadline holds for a silent server, a dripping head and a dripping body', async () => {
  const drip = (part: 'head' | 'body') =>
    ((_request, response) => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n'
      let at = 0
      if (part === 'body') response.writeHead(200, { 'content-length': '1000' })
      const timer = setInterval(
        () => (part === 'body' ? response.write('x') : response.socket?.write(head[at++] ?? '')),
        20,
      )
      response.socket?.on('close', () => clearInterval(timer))
    }) satisfies RequestListener
  for (const behaviour of [() => undefined, drip('head'), drip('body')]) {
    answer = behaviour
    const began = Date.now()
    await expect(egress.request(base, { deadlineMs: 300 })).rejects.toMatchObject({ code: 'timeout' })
    expect(Date.now() - began).toBeLessThan(1_000)
  }
  await expect(egress.request(base, { deadlineMs: 300 })).rejects.toMatchObject({ status: 200 })
})

test('the deadline holds although a name is never resolved or a connection never made', async () => {
  const never = () => new Promise<never>(() => undefined)
  const nameless = createEgress({ trustedHosts: [], resolve: never })
  const deaf = createEgress({ trustedHosts: ['127.0.0.1'], dial: () => undefined })
  for (const [way, url] of [
    [nameless, 'http://slow.example/'],
    [deaf, base],
  ] as const) {
    await expect(way.request(url, { deadlineMs: 100 })).rejects.toMatchObject({ code: 'timeout' })
    await way.close()
  }
  expect(seen).toEqual([])
})

test('the caller can give up', async () => {
  answer = () => undefined
  const given = egress.request(base, { signal: AbortSignal.timeout(50) })
  await expect(given).rejects.toMatchObject({ code: 'aborted' })
  await expect(egress.request(base, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
})

test('what is not there, breaks off or is no HTTP has its own code', async () => {
  const free = await findFreePort()
  await expect(egress.request(`http://127.0.0.1:${free}/`)).rejects.toMatchObject({ code: 'connection_refused' })
  answer = (request) => request.socket.destroy()
  await expect(egress.request(base)).rejects.toMatchObject({ code: 'connection_failed' })
  const babble = createTcpServer((socket) => socket.resume().end('what?\r\n\r\n'))
  await new Promise<void>((done) => babble.listen(0, '127.0.0.1', done))
  const { port } = babble.address() as AddressInfo
  await expect(egress.request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'connection_failed' })
  await expect(egress.request(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'tls_failed' })
  await new Promise((done) => babble.close(done))
})

test('a name that nobody knows is told from a host that does not answer', async () => {
  const unknown = createEgress({ trustedHosts: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(unknown.request('http://nobody.example/')).rejects.toMatchObject({ code: 'dns_failed' })
  await unknown.close()
})

test('a failure never repeats the path, where webhooks keep secrets', async () => {
  const free = await findFreePort()
  const failure = await egress.request(`http://127.0.0.1:${free}/T0K3N?key=T0K3N`).catch((error: unknown) => error)
  expect(JSON.stringify(failure) + String(failure)).not.toContain('T0K3N')
})

test('GET follows three redirects and no more; keys are not carried to another host', async () => {
  const hops =
    (count: number): RequestListener =>
    (request, response) => {
      const at = Number(new URL(request.url ?? '/', base).pathname.slice(1) || 0)
      if (at === count) return void response.end(`arrived ${at}`)
      const host = base.replace('127.0.0.1', 'localhost')
      response.writeHead(302, { location: at === 1 ? `${host}/2` : `/${at + 1}` }).end()
    }
  const two = createEgress({ trustedHosts: ['127.0.0.1', 'localhost'] })
  answer = hops(3)
  const headers = { authorization: 'Bearer x', 'x-api-key': 'y', accept: 'text/plain' }
  expect(await two.request(`${base}/0`, { headers })).toMatchObject({ text: 'arrived 3' })
  expect(seen.map((request) => request.headers.authorization)).toEqual(['Bearer x', 'Bearer x', undefined, undefined])
  expect(seen[3]?.headers).toMatchObject({ accept: 'text/plain' })
  expect(seen[3]?.headers).not.toHaveProperty('x-api-key')
  answer = hops(9)
  await expect(two.request(`${base}/0`)).rejects.toMatchObject({ code: 'too_many_redirects' })
  await two.close()
})

test('a POST is never sent on: the redirect is its answer', async () => {
  answer = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end()
  expect(await egress.request(base, { method: 'POST', body: 'x' })).toMatchObject({ status: 307 })
  expect(seen).toHaveLength(1)
})

test('a trusted call does not lend its connection to others', async () => {
  answer = (_request, response) => void response.end('ok')
  const strict = createEgress({ trustedHosts: [] })
  expect(await strict.request(base, { trusted: true })).toMatchObject({ status: 200 })
  await expect(strict.request(base)).rejects.toMatchObject({ code: 'address_not_allowed' })
  await strict.close()
})

test('trusted hosts are read as host or host:port, in any spelling', () => {
  const isTrusted = readTrustedHosts([
    'Internal.example',
    '127.0.0.1:8080',
    '::1',
    '[fd00::1]:80',
    '2130706433:9',
    'a.',
  ])
  const known: [string, number][] = [
    ['internal.example', 1],
    ['127.0.0.1', 8080],
    ['[::1]', 5],
    ['fd00::1', 80],
  ]
  for (const [host, port] of [...known, ['127.0.0.1', 9], ['a', 3]] as const) expect(isTrusted(host, port)).toBe(true)
  const unknown: [string, number][] = [
    ['127.0.0.1', 80],
    ['fd00::1', 81],
    ['x.internal.example', 1],
    ['internal', 1],
  ]
  for (const [host, port] of unknown) expect(isTrusted(host, port)).toBe(false)
  for (const bad of ['http://a', 'a/b', 'u@a', 'a:b', ''])
    expect(() => readTrustedHosts([bad])).toThrow('TRUSTED_EGRESS')
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '../../src/egress/egress'
import type { Egress } from '../../src/egress/egress'
import { EgressRefused } from '../../src/egress/failures'
import type { Dial } from '../../src/egress/guarded-connect'
import { startCanary } from './canary'
import type { Canary } from './canary'
import { forbiddenUrls, INSIDE_NAMES } from './forbidden-urls'

let canary: Canary
beforeAll(async () => {
  canary = await startCanary()
})
afterAll(() => canary.close())

const family = (address: string) => (address.includes(':') ? 6 : 4)
const resolveInside = async (hostname: string) =>
  (INSIDE_NAMES[hostname] ?? ['127.0.0.1']).map((address) => ({ address, family: family(address) }))

/** A way out whose every dial is written down instead of made. */
function createWatchedEgress(resolve = resolveInside) {
  const dialled: string[] = []
  const dial: Dial = (addresses, _options, callback) => {
    dialled.push(...addresses.map(({ address }) => address))
    callback(new Error('nobody is dialled in this test'), null)
  }
  return { egress: createEgress({ trustedHosts: [], resolve, dial }), dialled }
}

async function refusalOf(egress: Egress, url: string): Promise<unknown> {
  const error: unknown = await egress.request(url, { deadlineMs: 2_000 }).catch((reason: unknown) => reason)
  return error instanceof EgressRefused ? 'refused' : error
}

test('120 and more forbidden URLs reach nobody', async () => {
  const urls = forbiddenUrls(canary.port)
  expect(urls.length).toBeGreaterThanOrEqual(120)
  const plain = createEgress({ trustedHosts: [], resolve: resolveInside })
  const { egress: watched, dialled } = createWatchedEgress()
  for (const url of urls) {
    expect([url, await refusalOf(plain, url)]).toEqual([url, 'refused'])
    expect([url, await refusalOf(watched, url)]).toEqual([url, 'refused'])
  }
  expect(dialled).toEqual([])
  expect(canary.connections()).toBe(0)
  await Promise.all([plain.close(), watched.close()])
})

test('open addresses are dialled as they were checked', async () => {
  const open = [
    '1.1.1.1',
    '93.184.215.14',
    '[2606:4700:4700::1111]',
    '100.63.255.255',
    '172.32.0.1',
    '[::ffff:8.8.8.8]',
  ]
  const { egress, dialled } = createWatchedEgress()
  for (const host of open) await expect(egress.request(`http://${host}/`)).rejects.toThrow('nobody is dialled')
  expect(dialled).toEqual([
    '1.1.1.1',
    '93.184.215.14',
    '2606:4700:4700::1111',
    '100.63.255.255',
    '172.32.0.1',
    '::ffff:808:808',
  ])
  await egress.close()
})

test('a name that turns to a private address after the check is not asked again', async () => {
  let asked = 0
  const rebinding = async () => [{ address: asked++ === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
  const { egress, dialled } = createWatchedEgress(rebinding)
  const url = `http://rebinding.example:${canary.port}/`
  await expect(egress.request(url)).rejects.toThrow('nobody is dialled')
  expect([asked, dialled]).toEqual([1, ['93.184.215.14']])
  expect(await refusalOf(egress, url)).toBe('refused')
  expect(dialled).toEqual(['93.184.215.14'])
  await egress.close()
})

test('the system resolver is checked too', async () => {
  const egress = createEgress({ trustedHosts: [] })
  expect(await refusalOf(egress, `http://localhost:${canary.port}/`)).toBe('refused')
  expect(canary.connections()).toBe(0)
  await egress.close()
})

test('a redirect to a private address is not followed, wherever it hides', async () => {
  const targets = [`http://127.0.0.1:${canary.port}/`, `http://2130706433:${canary.port}/`, `//[::1]:${canary.port}/x`]
  targets.push('file:///etc/passwd', `http://u:p@127.0.0.1:${canary.port}/`, `http://loopback.example:${canary.port}/`)
  let target = ''
  const hop = createServer((_request, response) => response.writeHead(302, { location: target }).end())
  await new Promise<void>((done) => hop.listen(0, '127.0.0.1', done))
  const { port } = hop.address() as AddressInfo
  const egress = createEgress({ trustedHosts: [`127.0.0.1:${port}`], resolve: resolveInside })
  for (target of targets) {
    expect([target, await refusalOf(egress, `http://127.0.0.1:${port}/`)]).toEqual([target, 'refused'])
    await expect(egress.request(`http://127.0.0.1:${port}/`, { trusted: true })).rejects.toThrow(EgressRefused)
  }
  expect(canary.connections()).toBe(0)
  await egress.close()
  await new Promise((done) => hop.close(done))
})

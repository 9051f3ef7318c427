import { createContext, runInContext } from 'node:vm'
import { strFromU8, unzipSync } from 'fflate'
import { toAppName } from '../../../plugins/html_to_app/app-name'
import { packApp } from '../../../plugins/html_to_app/pack-app'

const ORIGIN = 'http://127.0.0.1:41000'
const page = (text: string) => `<!doctype html><html><head><title>x</title></head><body>${text}</body></html>`
const nameOf = (url: string) => new URL(url, `${ORIGIN}/`).pathname.replace(/^\//, '') || 'index.html'

interface Asked {
  method: string
  url: string
  mode: string
}

/** A browser as far as the worker sees it: stores, a network that can be cut, and three events. */
function createBrowser() {
  const stores = new Map<string, Map<string, string>>()
  const browser = { files: {} as Record<string, Uint8Array>, online: true, fetched: [] as string[] }
  const load = async (url: string) => {
    const bytes = browser.files[nameOf(url)]
    if (!browser.online || !bytes) throw new TypeError('Failed to fetch')
    browser.fetched.push(nameOf(url))
    return strFromU8(bytes)
  }
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, string>()
    stores.set(name, store)
    return {
      addAll: async (urls: string[]) => {
        for (const url of urls) store.set(nameOf(url), await load(url))
      },
      match: async (asked: Asked | string) => store.get(nameOf(typeof asked === 'string' ? asked : asked.url)),
    }
  }
  const caches = { open, keys: async () => [...stores.keys()], delete: async (name: string) => stores.delete(name) }
  async function install(zip: Uint8Array) {
    browser.files = unzipSync(zip)
    const listeners = new Map<string, (event: object) => void>()
    const self = {
      addEventListener: (type: string, listen: (event: object) => void) => void listeners.set(type, listen),
      ...{ skipWaiting: async () => {}, clients: { claim: async () => {} }, location: { origin: ORIGIN } },
    }
    runInContext(
      strFromU8(browser.files['service-worker.js'] ?? new Uint8Array()),
      createContext({ self, caches, URL, fetch: ({ url }: Asked) => load(url) }),
    )
    for (const type of ['install', 'activate']) {
      let work: unknown
      listeners.get(type)?.({ waitUntil: (given: unknown) => void (work = given) })
      await work
    }
    return async (request: Asked): Promise<unknown> => {
      let answer: unknown = 'left to the browser'
      listeners.get('fetch')?.({ request, respondWith: (given: unknown) => void (answer = given) })
      return answer
    }
  }
  return { browser, stores, install }
}

const get = (path: string, mode = 'no-cors'): Asked => ({ method: 'GET', url: `${ORIGIN}${path}`, mode })

it('serves the whole app when the network is gone', async () => {
  const { browser, install } = createBrowser()
  const ask = await install(packApp(page('hello'), toAppName('Dice'), 'en').zip)
  browser.online = false
  for (const path of [
    '/',
    '/index.html?source=pwa',
    '/manifest.webmanifest',
    '/icons/icon.svg',
    '/icons/icon-512.png',
  ]) {
    expect(await ask(get(path))).toBeDefined()
  }
  expect(await ask(get('/', 'navigate'))).toContain('hello')
  expect(await ask(get('/some/where', 'navigate'))).toContain('hello')
  await expect(ask(get('/other.png'))).rejects.toThrow('Failed to fetch')
})

it('leaves other sites and other methods to the browser', async () => {
  const ask = await createBrowser().install(packApp(page('hello'), toAppName('Dice'), 'en').zip)
  expect(await ask({ method: 'GET', url: 'https://example.org/a', mode: 'cors' })).toBe('left to the browser')
  expect(await ask({ method: 'POST', url: `${ORIGIN}/a`, mode: 'cors' })).toBe('left to the browser')
})

it('drops what it kept of an older version, and nothing of other apps', async () => {
  const { stores, install } = createBrowser()
  stores.set('other-app-1', new Map())
  await install(packApp(page('old'), toAppName('Dice'), 'en').zip)
  const [, old] = [...stores.keys()]
  const ask = await install(packApp(page('new'), toAppName('Dice'), 'en').zip)
  expect(await ask(get('/', 'navigate'))).toContain('new')
  expect([...stores.keys()]).toEqual(['other-app-1', expect.not.stringMatching(old ?? '')])
})

// Keeps every file of the app: what is in the store comes from there, only the rest from the network.
const PREFIX = '__SLUG__-'
const STORE = PREFIX + '__VERSION__'
const FILES = __FILES__

self.addEventListener('install', (event) => {
  const keepAll = async () => {
    const store = await caches.open(STORE)
    await store.addAll(FILES)
    await self.skipWaiting()
  }
  event.waitUntil(keepAll())
})

self.addEventListener('activate', (event) => {
  const dropOld = async () => {
    const names = await caches.keys()
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== STORE)
    await Promise.all(old.map((name) => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(dropOld())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return
  const answer = async () => {
    const store = await caches.open(STORE)
    const kept = await store.match(request, { ignoreSearch: true })
    const page = request.mode === 'navigate' ? await store.match('index.html') : undefined
    return kept || page || fetch(request)
  }
  event.respondWith(answer())
})

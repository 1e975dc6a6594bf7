// The page where the service cannot be reached: it opens all the same, says so, and goes on by itself. Only files of the
// page are kept; what the API answers is not even looked at. The build writes BUILD and FILES in front of this.

const PREFIX = 'harrier-page-'
const CACHE = PREFIX + BUILD
const DOCUMENT = '/app'
/** Addresses of a home lead nowhere elsewhere, and a browser may take minutes to say so. */
const PATIENCE_MS = 4000
/** What a proxy answers whose Harrier is not there. */
const AWAY = [502, 503, 504]

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(keep())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  // what a phone shares is a POST that the browser opens like a page: it goes to the service, untouched
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === '/' || pathname === DOCUMENT || pathname.startsWith(`${DOCUMENT}/`)) {
      event.respondWith(documentFor(request))
    }
  } else if (pathname !== DOCUMENT && FILES.includes(pathname)) {
    event.respondWith(fileFor(request))
  }
})

/** All or nothing: one file that fails leaves the version before at work. */
async function keep() {
  const cache = await caches.open(CACHE)
  const kept = FILES.map(async (address) => {
    const answer = await fetch(address, { cache: address === DOCUMENT ? 'no-cache' : 'default', redirect: 'error' })
    if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
    await cache.put(address, answer)
  })
  await Promise.all(kept)
}

/** What older versions kept goes first, so that a page can see that it is one of them. */
async function takeOver() {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  )
  await self.clients.claim()
}

/** The service knows best; who does not answer in time is away. */
async function documentFor(request) {
  const answering = fetch(request)
  const inTime = await Promise.race([answering.catch(() => null), waited(PATIENCE_MS)])
  if (inTime !== null && !AWAY.includes(inTime.status)) return inTime
  return (await kept(DOCUMENT)) ?? answering
}

/** Names of files change with their content, so what is kept is right. */
async function fileFor(request) {
  return (await kept(request)) ?? fetch(request)
}

async function kept(request) {
  return await caches.match(request, { cacheName: CACHE, ignoreVary: true })
}

function waited(ms) {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}

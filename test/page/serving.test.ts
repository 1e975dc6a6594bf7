import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { pageRoutes } from '../../src/page/routes.ts'
import { type TestApp, testApp } from '../app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ fresh: true })
}, 90_000)
afterAll(() => app.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  app.handle(new Request(`http://localhost${path}`, { headers }))

/** What the document loads automatically. */
async function initialPaths(): Promise<string[]> {
  const html = await (await get('/app')).text()
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
}

/** What the service worker keeps: the page with all its parts. */
async function builtPaths(): Promise<string[]> {
  const stated = (await (await get('/service-worker.js')).text()).split('\n')[1] ?? ''
  return JSON.parse(stated.replace('const FILES = ', ''))
}

async function packedBytes(path: string): Promise<number> {
  return (await (await get(path, { 'accept-encoding': 'gzip' })).arrayBuffer()).byteLength
}

describe('the page is served', () => {
  test('at /, /app and every address below it, to strangers, with a strict policy and without being cached', async () => {
    for (const path of ['/', '/app', '/app/', '/app/runs', '/app/runs/0198a000-0000-7000-8000-000000000001']) {
      const answer = await get(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
      expect(policy).not.toContain('unsafe')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('at an unknown address as 404, to a browser that opens it; to others as the JSON of the contract', async () => {
    const opening = { 'sec-fetch-mode': 'navigate' }
    for (const path of ['/nowhere', '/app/nowhere', '/app/runs/one/two', '/workout', '/assets/nothing/here']) {
      const answer = await get(path, opening)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
      expect(await answer.text()).toBe(await (await get('/app')).text())
      expect((await get(path, { ...opening, 'if-none-match': answer.headers.get('etag') ?? '' })).status).toBe(404)
    }
    for (const path of ['/app/nowhere', '/app/runs/one/two']) {
      const answer = await get(path)
      expect([path, answer.status, await answer.json()]).toEqual([path, 404, { error: 'Not found', code: 'not_found' }])
    }
    for (const answer of [await get('/nowhere'), await get('/workouts', opening)]) {
      const refused = { error: 'Invalid or expired credentials', code: 'invalid_credentials' }
      expect([answer.status, await answer.json()]).toEqual([401, refused])
    }
  })

  test('from hashed names that may be kept for ever, compressed where that is understood', async () => {
    for (const path of await initialPaths()) {
      expect(path).toMatch(/-[a-z0-9]{8}\.(js|css)$/)
      const plain = await get(path)
      const compressed = await get(path, { 'accept-encoding': 'br, gzip' })
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const encodings = [plain, compressed].map(({ headers }) => headers.get('content-encoding'))
      expect(encodings).toEqual([null, 'gzip'])
      expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
      const bytes = new Uint8Array(await compressed.arrayBuffer())
      expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text())
      expect((await get(path, { 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull()
    }
  })

  test('as 304 when its ETag is known', async () => {
    const others = ['/manifest.webmanifest', '/favicon.ico', '/service-worker.js']
    for (const path of ['/app', ...(await initialPaths()), ...others]) {
      const etag = (await get(path)).headers.get('etag') ?? ''
      const again = await get(path, { 'if-none-match': `"other", ${etag}` })
      expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  test('with an initial load of at most 70 KB of gzip; the rest comes later', async () => {
    const sum = async (paths: readonly string[]) => {
      const sizes = await Promise.all(paths.map(packedBytes))
      return sizes.reduce((total, size) => total + size, 0)
    }
    const paths = await initialPaths()
    expect(paths.some((path) => path.endsWith('.js')) && paths.some((path) => path.endsWith('.css'))).toBe(true)
    expect(await sum(['/app', ...paths])).toBeLessThanOrEqual(70_000)
    const later = (await builtPaths()).filter((path) => path !== '/app' && !paths.includes(path))
    expect(later.length).toBeGreaterThan(5)
    // the first load has all styles
    expect(later.filter((path) => path.endsWith('.css'))).toEqual([])
  })

  test('without an inline script, an inline style or an address outside of it', async () => {
    const html = await (await get('/app')).text()
    expect(html).not.toMatch(/<style|style=|<script>|<script type="module">| on\w+=/)
    const folder = join(app.deps.config.dataDir, 'web')
    const [hash = ''] = readdirSync(folder)
    const names = readdirSync(join(folder, hash, 'assets'))
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) {
      const source = await Bun.file(join(folder, hash, 'assets', name)).text()
      // names of XML namespaces are never asked for, and the credit of a map is a link that only a reader follows
      const known = 'www\\.w3\\.org/|www\\.openstreetmap\\.org/copyright\\b'
      const outside = source.match(new RegExp(`(?:https?:)?//(?!${known})[a-z0-9-]+(\\.[a-z0-9-]+)+`, 'gi'))
      expect([name, outside]).toEqual([name, null])
      expect(source).not.toMatch(/\beval\(|new Function\(/)
    }
  })

  test('with a manifest whose icons exist', async () => {
    const manifest = (await (await get('/manifest.webmanifest')).json()) as { icons: { src: string; type: string }[] }
    expect(manifest.icons.length).toBeGreaterThan(2)
    for (const { src, type } of manifest.icons) {
      const icon = await get(src)
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type])
    }
    expect((await get('/favicon.ico')).headers.get('content-type')).toBe('image/x-icon')
  })

  test('with a service worker that names every file, and is asked for again each time', async () => {
    const answer = await get('/service-worker.js')
    const [type, kept] = ['content-type', 'cache-control'].map((name) => answer.headers.get(name))
    expect([answer.status, type, kept]).toEqual([200, 'text/javascript; charset=utf-8', 'no-cache'])
    expect(answer.headers.get('content-security-policy')).toContain("worker-src 'self'")
    const [build = '', files = '', ...rest] = (await answer.text()).split('\n')
    expect(build).toMatch(/^const BUILD = "[0-9a-f]{16}"$/)
    const named: string[] = JSON.parse(files.replace('const FILES = ', ''))
    const [hash = ''] = readdirSync(join(app.deps.config.dataDir, 'web'))
    const built = readdirSync(join(app.deps.config.dataDir, 'web', hash, 'assets')).map((name) => `/assets/${name}`)
    expect(named.toSorted()).toEqual(['/app', ...built].toSorted())
    for (const path of named) expect([path, (await get(path)).status]).toEqual([path, 200])
    expect(rest.join('\n')).toBe(await Bun.file(new URL('../../src/web/service-worker.js', import.meta.url)).text())
  })

  test('and nothing else: unknown files and paths that leave the folder are 404', async () => {
    for (const path of ['/assets/main.js', '/icons/none.png', '/assets/..%2findex.html', '/assets/main.js/x']) {
      const answer = await get(path)
      const type = answer.headers.get('content-type')
      expect([path, answer.status, type]).toEqual([path, 404, 'application/json; charset=utf-8'])
    }
  })
})

describe('the page is built', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'harrier-page-'))
  const log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }
  const at = (config: TestApp['deps']['config'], lines: string[] = []) => {
    const routes = pageRoutes({ config, log: { ...log, error: (message) => void lines.push(message) } })
    return new Elysia().use(routes)
  }
  const ask = (page: ReturnType<typeof at>) => page.handle(new Request('http://localhost/app'))

  test('once for requests at the same time, and taken from the data folder by the next process', async () => {
    const dataDir = folder()
    const config = { ...app.deps.config, dataDir }
    const page = at(config)
    const answers = await Promise.all([ask(page), ask(page), ask(page)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [hash = ''] = readdirSync(join(dataDir, 'web'))
    expect([readdirSync(join(dataDir, 'web')).length, readdirSync(join(dataDir, 'tmp'))]).toEqual([1, []])
    // a mark in the kept page shows whether it is taken or made again
    const kept = join(dataDir, 'web', hash, 'index.html')
    await Bun.write(kept, `${await Bun.file(kept).text()}<!-- kept -->`)
    expect(await (await ask(at(config))).text()).toContain('<!-- kept -->')
    rmSync(dataDir, { recursive: true })
  }, 90_000)

  test('again at the next request when it failed, which is a readable 500 and a line in the log', async () => {
    const dataDir = folder()
    await Bun.write(join(dataDir, 'tmp'), 'a file where a folder should be')
    const lines: string[] = []
    const page = at({ ...app.deps.config, dataDir }, lines)
    const failed = await ask(page)
    expect([failed.status, lines]).toEqual([500, ['The page could not be built']])
    expect(failed.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await failed.text()).toContain('The page could not be built')
    rmSync(join(dataDir, 'tmp'))
    expect((await ask(page)).status).toBe(200)
    rmSync(dataDir, { recursive: true })
  }, 90_000)
})

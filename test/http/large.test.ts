// Answers that are packed, and those that are long enough to be sent in pieces.
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { AppError } from '../../src/base/errors.ts'
import { createHeavy } from '../../src/http/heavy.ts'
import { slowJson } from '../../src/http/slow-json.ts'
import type { ZipItem } from '../../src/zip/writer.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxRun } from '../fixtures/runs.ts'

// a busy machine is no fault
setDefaultTimeout(60_000)

interface Asked {
  readonly method?: string
  readonly signal?: AbortSignal
}

const answerTo = async (app: TestApp, path: string, accepts: string, { method = 'GET', ...more }: Asked = {}) =>
  await app.handle(
    new Request(`http://localhost${path}`, {
      ...{ method, headers: { authorization: `Bearer ${app.token}`, 'accept-encoding': accepts }, ...more },
    }),
  )

/** How an answer is packed, and its text. */
async function read(answer: Response) {
  const bytes = await answer.bytes()
  const encoding = answer.headers.get('content-encoding')
  const plain =
    encoding === 'zstd' ? Bun.zstdDecompressSync(bytes) : encoding === 'gzip' ? Bun.gunzipSync(bytes) : bytes
  return { encoding, vary: answer.headers.get('vary'), text: new TextDecoder().decode(plain), length: bytes.length }
}

test('JSON is sent in zstd where that is accepted, else in gzip, else as it is', async () => {
  await using app = await testApp()
  const { text } = await app.call('GET', '/swagger/json')
  for (const [accepts, encoding] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP;q=0.5 , ZSTD ;q=0.1', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['zstd;q=0, gzip;q=1.0', 'gzip'],
    ['gzip;q=0.000, zstd; q=0', null],
    ['x-gzip, gzipped', null],
    ['identity', null],
  ] as const) {
    const found = await read(await answerTo(app, '/swagger/json', accepts))
    expect([accepts, found]).toMatchObject([accepts, { encoding, vary: 'Accept-Encoding' }])
    expect([found.text === text, found.length < text.length / 2]).toEqual([true, encoding !== null])
  }
  const head = await answerTo(app, '/swagger/json', 'gzip', { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
})

test('answers that are short, have secrets, or are no JSON are sent as they are', async () => {
  await using app = await testApp()
  for (let k = 0; k < 20; k += 1) await app.call('POST', '/auth/api-keys', { json: { label: `key ${k}` } })
  for (const path of ['/health', '/auth/api-keys', '/api/auth/api-keys/', '/swagger/assets/swagger-ui.css']) {
    const found = await read(await answerTo(app, path, 'gzip'))
    expect([path, found]).toMatchObject([path, { encoding: null, vary: null }])
  }
})

test('a large answer is complete, packed or not; a client that leaves is no failure', async () => {
  await using app = await testApp()
  const id = await app.run(gpxRun({ seconds: 15_000 }), 'a.gpx')
  const samples = `/workouts/${id}/samples`
  const { text } = await app.call('GET', samples)
  expect(JSON.stringify(JSON.parse(text)).length).toBeGreaterThan(500_000)
  for (const [accepts, encoding] of [
    ['gzip', 'gzip'],
    ['gzip, zstd', 'zstd'],
    ['identity', null],
  ] as const) {
    const found = await read(await answerTo(app, samples, accepts))
    expect([accepts, found.encoding, found.text === text]).toEqual([accepts, encoding, true])
  }
  const file = `/workouts/${id}/export?format=gpx`
  const leaving = new AbortController()
  const left = Array.from({ length: 12 }, () => answerTo(app, file, 'identity', { signal: leaving.signal }))
  leaving.abort()
  await Promise.allSettled(left)
  const { text: gpx } = await read(await answerTo(app, file, 'identity'))
  expect([gpx.split('<trkpt').length, gpx.trimEnd().endsWith('</gpx>')]).toEqual([15_002, true])
  expect(app.logged).toEqual([])
})

test('four ZIPs are sent at once: a fifth is told to try again, and gets its place when a client is done or leaves', async () => {
  const { zip } = createHeavy()
  const ended: string[] = []
  async function* items(name: string): AsyncGenerator<ZipItem, void> {
    try {
      for (let n = 0; ; n += 1) {
        yield { name: `${n}`, compress: false, modifiedMs: 0, source: pieces() }
        if (name === 'torn' && n === 20) throw new Error(name)
        if (name === 'short') return
      }
    } finally {
      ended.push(name)
    }
  }
  async function* pieces() {
    yield new Uint8Array(100_000)
  }
  const ask = (name: string, signal: AbortSignal | null = null) =>
    zip(new Request('http://localhost/', { signal }), { name, nowMs: 0, items: items(name) })
  /** null: it got a place, which it keeps. */
  const refused = () =>
    ask('fifth').then(
      () => null,
      ({ kind, headers }: AppError) => ({ kind, headers }),
    )
  const leaving = new AbortController()
  const torn = await ask('torn')
  const short = await ask('short')
  const [cancelled] = [await ask('cancelled'), await ask('left', leaving.signal)]
  const busy = { kind: 'unavailable' as const, headers: { 'Retry-After': '5' } }
  expect(await refused()).toEqual(busy)
  leaving.abort()
  await Bun.sleep(1)
  expect([ended, await refused()]).toEqual([['left'], null])
  expect(await refused()).toEqual(busy)
  await cancelled.body!.cancel()
  expect((await short.bytes()).length).toBeGreaterThan(100_000)
  // a failure breaks the body instead of ending it well
  expect(await torn.bytes().catch(String)).toBe('Error: torn')
  expect(ended).toEqual(['left', 'cancelled', 'short', 'torn'])
  for (let n = 0; n < 3; n += 1) expect(await refused()).toBeNull()
  expect(await refused()).toEqual(busy)
})

test('four answers are made at once and twelve wait: one more is told to try again', async () => {
  const { made } = createHeavy()
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = 0
  const ask = (signal: AbortSignal | null = null) =>
    made(new Request('http://localhost/', { signal }), async () => {
      begun += 1
      await promise
      return new Response('made')
    })
  const leaving = new AbortController()
  const all = Array.from({ length: 15 }, () => ask())
  const left = ask(leaving.signal).catch(({ kind }: AppError) => kind)
  expect(await ask().catch(({ headers }: AppError) => headers)).toEqual({ 'Retry-After': '5' })
  leaving.abort()
  all.push(ask())
  expect([begun, await left]).toEqual([4, 'unavailable'])
  resolve()
  expect((await Promise.all(all)).length).toBe(16)
})

test('an answer that takes long is begun with blanks, so that nobody between cuts the connection', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const reader = (await slowJson(promise, { whenFailed: String, silenceMs: 1 })).body!.getReader()
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value).trim()).toBe('')
  resolve({ successful: 1 })
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += new TextDecoder().decode(next.value)
  expect(JSON.parse(text)).toEqual({ successful: 1 })
})

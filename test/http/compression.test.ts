import { expect, test } from 'bun:test'
import { isPublic } from '../../src/auth/gate.ts'
import { framed } from '../../src/http/frame.ts'
import { createLarge } from '../../src/http/large.ts'
import { slowJson } from '../../src/http/slow-json.ts'
import { testApp } from '../app.ts'

const ROWS = Array.from({ length: 300 }, (_, k) => ({ k, name: `Morning run ${k % 7}` }))
const TEXT = JSON.stringify(ROWS)

const FRAME = {
  config: { corsAllowedOrigins: [] },
  server: null,
  large: createLarge({ after: () => () => {}, close: () => {} }).large,
  isPublic,
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly accepts?: string
}

async function answered(answer: Response, { method = 'GET', path = '/workouts', accepts = 'gzip' }: Asked) {
  const request = new Request(`http://pi${path}`, { method, headers: { 'accept-encoding': accepts } })
  const found = await framed(request, () => answer, FRAME)
  const { status, headers } = found
  const [encoding, vary] = [headers.get('content-encoding'), headers.get('vary')]
  return { status, encoding, vary, length: headers.get('content-length'), bytes: await found.bytes() }
}

const PLAIN = { encoding: null, vary: null }

test('JSON is sent in zstd where that is accepted, else in gzip, else as it is', async () => {
  for (const [accepts, encoding] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP;q=0.5 , ZSTD ;q=0.1', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['zstd;q=0, gzip;q=1.0', 'gzip'],
    ['gzip;q=0.000, zstd; q=0', null],
    ['x-gzip, gzipped', null],
    ['identity', null],
  ] as const) {
    const found = await answered(Response.json(ROWS, { status: 201 }), { accepts })
    expect([accepts, found.status, found.encoding, found.vary]).toEqual([accepts, 201, encoding, 'Accept-Encoding'])
    const { bytes } = found
    const plain =
      encoding === 'zstd' ? Bun.zstdDecompressSync(bytes) : encoding === 'gzip' ? Bun.gunzipSync(bytes) : bytes
    expect(new TextDecoder().decode(plain)).toBe(TEXT)
    expect(bytes.length < TEXT.length / 2).toBe(encoding !== null)
  }
})

test('JSON of megabytes is compressed as well', async () => {
  const rows = Array.from({ length: 30_000 }, (_, k) => ({ k, heartRateBpm: 120 + (k % 40) }))
  for (const accepts of ['zstd', 'gzip']) {
    const { encoding, bytes } = await answered(Response.json(rows), { accepts })
    const plain = accepts === 'zstd' ? Bun.zstdDecompressSync(bytes) : Bun.gunzipSync(bytes)
    expect([encoding, JSON.parse(new TextDecoder().decode(plain))]).toEqual([accepts, rows])
  }
})

test('answers below 2 KB are sent as they are, those of 2 KB are compressed', async () => {
  // with its two quotes
  const ofLength = (length: number) => Response.json('x'.repeat(length - 2))
  expect(await answered(ofLength(2047), {})).toMatchObject(PLAIN)
  expect(await answered(ofLength(2048), {})).toMatchObject({ encoding: 'gzip', vary: 'Accept-Encoding' })
})

test('what shows secrets, and what is not JSON, is never compressed', async () => {
  for (const path of ['/auth/api-keys', '/api/auth/api-keys/']) {
    expect(await answered(Response.json(ROWS), { path }), path).toMatchObject(PLAIN)
  }
  for (const type of ['text/event-stream', 'application/zip', 'application/octet-stream']) {
    const file = new Response(TEXT, { headers: { 'content-type': type } })
    expect(await answered(file, {}), type).toMatchObject(PLAIN)
  }
  expect(await answered(new Response(null, { status: 204 }), {})).toMatchObject({ ...PLAIN, status: 204 })
  expect((await answered(Response.json(ROWS), { path: '/authors' })).encoding).toBe('gzip')
})

test('HEAD states the length of the plain answer', async () => {
  expect(await answered(Response.json(ROWS), { method: 'HEAD' })).toMatchObject({
    ...{ encoding: null, vary: 'Accept-Encoding', length: String(TEXT.length) },
  })
})

test('an answer that blanks keep alive is sent as it comes', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const answer = await slowJson(promise, { whenFailed: String, silenceMs: 1 })
  const request = new Request('http://pi/workouts/import', { method: 'POST', headers: { 'accept-encoding': 'gzip' } })
  const found = await framed(request, () => answer, FRAME)
  expect([found.headers.get('content-encoding'), found.headers.get('cache-control')]).toEqual([null, 'no-store'])
  resolve(ROWS)
  expect((await found.text()).trimStart()).toBe(TEXT)
})

test('compression leaves other headers of an answer as they are', async () => {
  await using app = await testApp({ env: { CORS_ALLOWED_ORIGINS: 'https://run.example.org' } })
  const headers = { authorization: `Bearer ${app.token}`, 'accept-encoding': 'gzip', origin: 'https://run.example.org' }
  const answer = await app.handle(new Request('http://localhost/swagger/json', { headers }))
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Origin')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { paths } = JSON.parse(new TextDecoder().decode(Bun.gunzipSync(await answer.bytes())))
  expect(paths).toHaveProperty('/workouts')
})

test('a client that leaves while a long answer waits to be compressed is not a failure', async () => {
  await using app = await testApp()
  const headers = { 'accept-encoding': 'gzip' }
  const request = new Request('http://localhost/swagger/json', { headers, signal: AbortSignal.abort() })
  expect((await app.handle(request)).status).toBe(503)
  expect(app.logged).toEqual([])
})

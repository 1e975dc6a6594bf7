import { expect, test } from 'bun:test'
import { isPublic } from '../../src/auth/gate.ts'
import { framed } from '../../src/http/frame.ts'
import { createLarge } from '../../src/http/large.ts'
import { slowJson } from '../../src/http/slow-json.ts'
import { testApp } from '../app.ts'

const ROWS = Array.from({ length: 300 }, (_, k) => ({ k, name: `Morning run ${k % 7}` }))
const TEXT = JSON.stringify(ROWS)
const MEGABYTES = Array.from({ length: 30_000 }, (_, k) => ({ k, heartRateBpm: 120 + (k % 40) }))
const { large } = createLarge({ after: () => () => {}, close: () => {} })
const FRAME = { config: { corsAllowedOrigins: [] }, server: null, large, isPublic }

async function answered(answer: Response, { method = 'GET', path = '/workouts', accepts = 'gzip' } = {}) {
  const request = new Request(`http://pi${path}`, { method, headers: { 'accept-encoding': accepts } })
  const found = await framed(request, () => answer, FRAME)
  const [encoding, vary, length] = ['content-encoding', 'vary', 'content-length'].map((name) => found.headers.get(name))
  return { status: found.status, encoding, vary, length, bytes: await found.bytes() }
}

function unpacked(encoding: string | null | undefined, bytes: Uint8Array<ArrayBuffer>): string {
  const plain =
    encoding === 'zstd' ? Bun.zstdDecompressSync(bytes) : encoding === 'gzip' ? Bun.gunzipSync(bytes) : bytes
  return new TextDecoder().decode(plain)
}

test('JSON is sent in zstd where that is accepted, else in gzip, else as it is', async () => {
  for (const [accepts, encoding, rows] of [
    ['gzip, deflate, br, zstd', 'zstd', ROWS],
    ['GZIP;q=0.5 , ZSTD ;q=0.1', 'zstd', ROWS],
    ['gzip, deflate, br', 'gzip', ROWS],
    ['zstd;q=0, gzip;q=1.0', 'gzip', ROWS],
    ['gzip;q=0.000, zstd; q=0', null, ROWS],
    ['x-gzip, gzipped', null, ROWS],
    ['identity', null, ROWS],
    ['zstd', 'zstd', MEGABYTES],
    ['gzip', 'gzip', MEGABYTES],
  ] as const) {
    const { bytes, ...found } = await answered(Response.json(rows, { status: 201 }), { accepts })
    expect([accepts, found]).toMatchObject([accepts, { status: 201, encoding, vary: 'Accept-Encoding' }])
    const text = JSON.stringify(rows)
    expect(unpacked(encoding, bytes) === text).toBe(true)
    expect(bytes.length < text.length / 2).toBe(encoding !== null)
  }
})

test('answers below 2 KB, with secrets, or of other types are sent as they are', async () => {
  // with its two quotes
  const ofLength = (length: number) => Response.json('x'.repeat(length - 2))
  const ofType = (type: string) => new Response(TEXT, { headers: { 'content-type': type } })
  for (const [answer, path, encoding] of [
    [ofLength(2047), '/workouts', null],
    [ofLength(2048), '/workouts', 'gzip'],
    [Response.json(ROWS), '/auth/api-keys', null],
    [Response.json(ROWS), '/api/auth/api-keys/', null],
    [Response.json(ROWS), '/authors', 'gzip'],
    [ofType('text/event-stream'), '/workouts', null],
    [ofType('application/zip'), '/workouts', null],
    [ofType('application/octet-stream'), '/workouts', null],
    [new Response(null, { status: 204 }), '/workouts', null],
  ] as const) {
    const { status } = answer
    const vary = encoding && 'Accept-Encoding'
    expect([path, await answered(answer, { path })]).toMatchObject([path, { status, encoding, vary }])
  }
  const head = { encoding: null, vary: 'Accept-Encoding', length: String(TEXT.length) }
  expect(await answered(Response.json(ROWS), { method: 'HEAD' })).toMatchObject(head)
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

test('compression leaves other headers as they are, and a client that leaves while it waits is no failure', async () => {
  await using app = await testApp({ env: { CORS_ALLOWED_ORIGINS: 'https://run.example.org' } })
  const headers = { authorization: `Bearer ${app.token}`, 'accept-encoding': 'gzip', origin: 'https://run.example.org' }
  const address = 'http://localhost/swagger/json'
  const answer = await app.handle(new Request(address, { headers }))
  expect(['vary', 'content-type', 'cache-control'].map((name) => answer.headers.get(name))).toEqual([
    ...['Accept-Encoding, Origin', 'application/json; charset=utf-8', 'no-store'],
  ])
  expect(JSON.parse(unpacked('gzip', await answer.bytes())).paths).toHaveProperty('/workouts')
  expect((await app.handle(new Request(address, { headers, signal: AbortSignal.abort() }))).status).toBe(503)
  expect(app.logged).toEqual([])
})

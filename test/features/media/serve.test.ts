import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { createApp } from '../../../src/app.ts'
import { contentDisposition } from '../../../src/http/file-response.ts'
import { type TestApp, testApp } from '../../app.ts'
import { greyPng, isoMedia, joined, jpeg, png } from '../../fixtures/media.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { addWorkout } from '../../library/feature-app.ts'

// Over a listening server, since Bun itself cuts the ranges, and over a socket, since a client would join doubled headers.

const RUN = '0198b000-0000-7000-8000-000000000001'
const OTHER = '0198b000-0000-7000-8000-000000000002'
const SIZE = 1000
const BYTES = Buffer.from(jpeg(SIZE))

let app: TestApp
let server: ReturnType<typeof createApp>
let path = ''
let etag = ''

interface Reply {
  readonly status: number
  /** Lower-case names; every value that was sent. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Buffer
}

beforeAll(async () => {
  app = await testApp()
  for (const id of [RUN, OTHER]) addWorkout(app.deps, { id })
  const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'löpning.jpg', bytes: BYTES }])
  path = `/workouts/${RUN}/media/${json[0].id}`
  server = createApp(app.deps).listen({ port: 0, hostname: '127.0.0.1' })
  etag = (await get()).headers.get('etag')?.[0] ?? ''
})

afterAll(async () => {
  await server.stop(true)
  await app.close()
})

function get(headers: Readonly<Record<string, string>> = {}, method = 'GET', address = path): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const sent = { Host: 'pi', Connection: 'close', Authorization: `Bearer ${app.token}`, ...headers }
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
    const socket = connect(server.server?.port ?? 0, '127.0.0.1', () => {
      socket.write([`${method} ${address} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    })
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(replyOf(Buffer.concat(chunks))))
  })
}

function replyOf(bytes: Buffer): Reply {
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map<string, string[]>()
  for (const header of lines) {
    const colon = header.indexOf(':')
    const name = header.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), header.slice(colon + 1).trim()])
  }
  return { status: Number(line.split(' ')[1]), headers, body: bytes.subarray(end + 4) }
}

function expectWhole({ status, headers, body }: Reply): void {
  expect(status).toBe(200)
  expect(headers.get('content-length')).toEqual([String(SIZE)])
  expect(headers.get('accept-ranges')).toEqual(['bytes'])
  expect(headers.has('content-range')).toBe(false)
  expect(headers.get('etag')).toEqual([etag])
  expect(body.equals(BYTES)).toBe(true)
}

describe('the whole file', () => {
  test('with every header of its description, each once', async () => {
    const reply = await get()
    expectWhole(reply)
    expect(Object.fromEntries(reply.headers)).toEqual({
      ...{ 'content-type': ['image/jpeg'], 'content-length': [String(SIZE)], 'accept-ranges': ['bytes'] },
      etag: [expect.stringMatching(/^"[\x21\x23-\x7e]+"$/)],
      'content-disposition': [`inline; filename="l_pning.jpg"; filename*=UTF-8''l%C3%B6pning.jpg`],
      ...{ 'x-content-type-options': ['nosniff'], 'cache-control': ['private, no-cache'], date: [expect.any(String)] },
    })
  })

  test('for ranges that are malformed or several, of an older version, and for a tag that is not the one of the file', async () => {
    for (const range of [
      ...['bytes=5-2', 'bytes=0-9,20-29', 'bytes=0-9,', 'bytes=', 'bytes=-'],
      ...['bytes=a-b', 'bytes=0-9-10', 'bytes=+0-9', 'bytes 0-9', 'lines=0-9', '0-9'],
    ])
      expectWhole(await get({ Range: range }))
    for (const ifRange of ['"another"', 'Wed, 21 Oct 2015 07:28:00 GMT', `W/${etag}`, '*'])
      for (const range of ['bytes=0-9', 'bytes=5000-']) expectWhole(await get({ Range: range, 'If-Range': ifRange }))
    const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'again.jpg', bytes: BYTES }])
    const other = (await get({}, 'GET', `/workouts/${RUN}/media/${json[0].id}`)).headers.get('etag')![0]!
    for (const tag of [other, `W/${other}`, '', etag.slice(1, -1)]) expectWhole(await get({ 'If-None-Match': tag }))
  })
})

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=500-', 500, 999],
  ['bytes=-10', 990, 999],
  ['bytes=-5000', 0, 999],
  ['bytes=990-5000', 990, 999],
  ['Bytes=10-19', 10, 19],
  ['bytes= 10-19', 10, 19],
] as const)('the range %s is 206', async (range, first, last) => {
  for (const more of [{}, { 'If-Range': etag }, { 'If-None-Match': '"another"' }]) {
    const { status, headers, body } = await get({ Range: range, ...more })
    expect(status).toBe(206)
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-range': [`bytes ${first}-${last}/${SIZE}`], 'content-length': [String(last - first + 1)] },
      ...{ 'accept-ranges': ['bytes'], 'content-type': ['image/jpeg'], 'cache-control': ['private, no-cache'] },
      ...{ 'x-content-type-options': ['nosniff'], etag: [etag], 'content-disposition': [expect.any(String)] },
    })
    expect(body.equals(BYTES.subarray(first, last + 1))).toBe(true)
  }
})

test('a range outside the file is 416 with the size and a sentence', async () => {
  for (const range of [
    'bytes=1000-',
    'bytes=1000-2000',
    'bytes=2000-1',
    'bytes=-0',
    'bytes=99999999999999999999-',
    'bytes=5000-5000',
  ]) {
    const { status, headers, body } = await get({ Range: range })
    expect([range, status]).toEqual([range, 416])
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-range': [`bytes */${SIZE}`], 'accept-ranges': ['bytes'] },
      'content-type': ['application/json; charset=utf-8'],
    })
    expect(JSON.parse(body.toString())).toEqual(expect.objectContaining({ error: 'The range is outside the file' }))
  }
})

test('a tag that is known, alone, weak or in a list, is 304 without a body', async () => {
  for (const sent of [etag, `W/${etag}`, '*', `"a", ${etag}`, `"a",W/${etag} , "b"`])
    for (const method of ['GET', 'HEAD'])
      for (const more of [{}, { Range: 'bytes=0-9' }, { Range: 'bytes=5000-' }]) {
        const { status, headers, body } = await get({ 'If-None-Match': sent, ...more }, method)
        expect([sent, status, body.length]).toEqual([sent, 304, 0])
        expect([headers.get('etag'), headers.get('cache-control')]).toEqual([[etag], ['private, no-cache']])
      }
})

test('404: an id that is a path, media of another workout, and a file lost on disk, with one line in the log', async () => {
  const error = 'Media not found'
  for (const address of [`/workouts/${RUN}/media/..%2Fraw%2F${RUN}`, path.replace(RUN, OTHER)])
    for (const method of ['GET', 'DELETE', 'HEAD']) {
      const { status, headers, body } = await get({ Range: 'bytes=0-9' }, method, address)
      expect([method, status]).toEqual([method, 404])
      expect(headers.get('content-type')).toEqual(['application/json; charset=utf-8'])
      expect(body.toString()).toBe(method === 'HEAD' ? '' : JSON.stringify({ error, code: 'media_not_found' }))
    }
  expect((await app.call('PATCH', path.replace(RUN, OTHER), { json: { caption: 'x' } })).json).toEqual({
    error,
    code: 'media_not_found',
  })
  expectWhole(await get())
  const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'lost.jpg', bytes: BYTES }])
  rmSync(`${app.deps.config.dataDir}/files/media/${json[0].id}`)
  const before = app.logged.length
  const { status, body } = await get({}, 'GET', `/workouts/${RUN}/media/${json[0].id}`)
  expect([status, body.toString()]).toEqual([404, JSON.stringify({ error, code: 'media_not_found' })])
  expect(app.logged.slice(before)).toEqual([`warn The file of the media ${json[0].id} is missing`])
})

// RFC 8187: everything but attr-char is percent-encoded, as UTF-8
test.each([
  [`it's (a) *.jpg`, `filename="it's (a) *.jpg"; filename*=UTF-8''it%27s%20%28a%29%20%2A.jpg`],
  ['"hi"; x=y, 1%.jpg', `filename="_hi_; x=y, 1_.jpg"; filename*=UTF-8''%22hi%22%3B%20x%3Dy%2C%201%25.jpg`],
  ['東京 🏃.jpg', `filename="__ _.jpg"; filename*=UTF-8''%E6%9D%B1%E4%BA%AC%20%F0%9F%8F%83.jpg`],
])('the name %s has two forms', (filename, expected) => {
  expect(contentDisposition('inline', filename)).toBe(`inline; ${expected}`)
})

test('the original of a run is served in parts as well, for the run and for its recording of the same id', async () => {
  const run = Buffer.from(fitRun({ seconds: 60 }))
  const id = await app.run(run)
  for (const address of [`/workouts/${id}/file`, `/workouts/${id}/sources/${id}/file`])
    for (const [range, status, part] of [
      ['bytes=0-9', 206, run.subarray(0, 10)],
      ['bytes=-1', 206, run.subarray(-1)],
      ['bytes=-0', 416, null],
      [`bytes=${run.length}-`, 416, null],
      [`bytes=${run.length + 5}-1`, 416, null],
      ['bytes=0-1,3-4', 200, run],
    ] as const) {
      const answer = await get({ Range: range }, 'GET', address)
      expect([range, answer.status]).toEqual([range, status])
      if (part !== null) expect(answer.body.equals(part)).toBe(true)
      else expect(answer.headers.get('content-range')).toEqual([`bytes */${run.length}`])
    }
})

describe('a small picture', () => {
  /** A PNG of so many pixels a side, as noise that does not pack. */
  const picture = (side: number) => {
    const rows = Buffer.from(crypto.getRandomValues(new Uint8Array(Math.min(65_536, side * (side + 1)))))
    const all = Buffer.alloc(side * (side + 1))
    for (let at = 0; at < all.length; at += rows.length) rows.copy(all, at)
    for (let row = 0; row < side; row += 1) all[row * (side + 1)] = 0
    return greyPng(side, side, all)
  }
  const uploaded = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name, bytes }])
    return `/workouts/${RUN}/media/${json[0].id}`
  }

  test('is a WebP of at most 480 px a side, which is known again by its ETag', async () => {
    const address = await uploaded('large.png', picture(900))
    const whole = await get({}, 'GET', address)
    const small = await get({}, 'GET', `${address}?small=true`)
    expect([small.status, small.headers.get('content-type')]).toEqual([200, ['image/webp']])
    expect(small.body.length).toBeLessThan(whole.body.length / 2)
    expect(await new Bun.Image(small.body).metadata()).toEqual({ width: 480, height: 480, format: 'webp' })
    const tag = small.headers.get('etag')?.[0] ?? ''
    expect(tag).not.toBe(whole.headers.get('etag')?.[0] ?? '')
    expect((await get({ 'If-None-Match': tag }, 'GET', `${address}?small=true`)).status).toBe(304)
    expect((await get({}, 'GET', `${address}?small=false`)).body.equals(whole.body)).toBe(true)
  })

  test('is the file itself where it is small already, damaged, a film, or claims more pixels than are unpacked', async () => {
    for (const [name, bytes] of [
      ['tiny.png', png(20)],
      ['damaged.jpg', jpeg(80_000)],
      ['film.mp4', joined(isoMedia('isom', 'mp42'), new Uint8Array(80_000))],
      ['bomb.png', greyPng(30_000, 30_000, Buffer.alloc(30_000), Buffer.alloc(70_000))],
    ] as const) {
      const { status, body } = await get({}, 'GET', `${await uploaded(name, bytes)}?small=true`)
      expect([name, status, body.equals(Buffer.from(bytes))]).toEqual([name, 200, true])
    }
  })
})

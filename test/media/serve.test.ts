import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { createApp } from '../../src/app.ts'
import { type TestApp, testApp } from '../app.ts'
import { greyPng, isoMedia, joined, jpeg, png } from '../fixtures/media.ts'
import { addWorkout } from '../library/feature-app.ts'

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
  const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'start.jpg', bytes: BYTES }])
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
      'content-disposition': [`inline; filename="start.jpg"; filename*=UTF-8''start.jpg`],
      ...{ 'x-content-type-options': ['nosniff'], 'cache-control': ['private, no-cache'], date: [expect.any(String)] },
    })
  })

  test.each([
    ...['bytes=5-2', 'bytes=2000-1', 'bytes=1000-999', 'bytes=0-9,20-29', 'bytes=0-9,', 'bytes=', 'bytes=-'],
    ...['bytes=a-b', 'bytes=0-9-10', 'bytes=+0-9', 'bytes 0-9', 'lines=0-9', '0-9'],
  ])('for the range "%s", which is malformed or several', async (range) => {
    expectWhole(await get({ Range: range }))
  })

  test.each(['"another"', 'Wed, 21 Oct 2015 07:28:00 GMT', 'W/ETAG', '*'])(
    'for a range of an older version: If-Range %s',
    async (sent) => {
      const ifRange = sent.replace('ETAG', etag)
      expectWhole(await get({ Range: 'bytes=0-9', 'If-Range': ifRange }))
      expectWhole(await get({ Range: 'bytes=5000-', 'If-Range': ifRange }))
    },
  )

  test.each([{}, { Range: 'bytes=0-99' }, { Range: 'bytes=5000-' }])(
    'its head alone for HEAD with %j',
    async (asked) => {
      const { status, headers, body } = await get(asked, 'HEAD')
      expect([status, body.length]).toEqual([200, 0])
      const whole = (await get()).headers
      for (const name of [...whole.keys()].filter((name) => name !== 'date'))
        expect(headers.get(name), name).toEqual(whole.get(name))
    },
  )
})

describe('one range', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=500-', 500, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-5000', 990, 999],
    ['Bytes=10-19', 10, 19],
    ['bytes= 10-19', 10, 19],
  ] as const)('%s', async (range, first, last) => {
    for (const more of [{}, { 'If-Range': etag }, { 'If-None-Match': '"another"' }]) {
      const { status, headers, body } = await get({ Range: range, ...more })
      expect(status).toBe(206)
      expect(Object.fromEntries(headers)).toMatchObject({
        ...{ 'content-range': [`bytes ${first}-${last}/${SIZE}`], 'content-length': [String(last - first + 1)] },
        ...{ 'accept-ranges': ['bytes'], 'content-type': ['image/jpeg'], 'cache-control': ['private, no-cache'] },
        ...{ 'x-content-type-options': ['nosniff'], etag: [etag] },
      })
      expect(headers.get('content-disposition')).toHaveLength(1)
      expect(body.equals(BYTES.subarray(first, last + 1))).toBe(true)
    }
  })

  test.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=99999999999999999999-', 'bytes=5000-5000'])(
    '%s lies outside: 416 with the size and a sentence',
    async (range) => {
      const { status, headers, body } = await get({ Range: range })
      expect(status).toBe(416)
      expect(headers.get('content-range')).toEqual([`bytes */${SIZE}`])
      expect(headers.get('accept-ranges')).toEqual(['bytes'])
      expect(headers.get('content-type')).toEqual(['application/json; charset=utf-8'])
      expect(JSON.parse(body.toString())).toEqual({ error: 'The range is outside the file' })
    },
  )
})

describe('If-None-Match', () => {
  test.each(['ETAG', 'W/ETAG', '*', '"a", ETAG', '"a",W/ETAG , "b"'])(
    '%s is known: 304 without a body',
    async (sent) => {
      for (const method of ['GET', 'HEAD']) {
        for (const more of [{}, { Range: 'bytes=0-9' }, { Range: 'bytes=5000-' }]) {
          const { status, headers, body } = await get({ 'If-None-Match': sent.replace('ETAG', etag), ...more }, method)
          expect([status, body.length]).toEqual([304, 0])
          expect(headers.get('etag')).toEqual([etag])
          expect(headers.get('cache-control')).toEqual(['private, no-cache'])
        }
      }
    },
  )

  test.each(['"another"', 'W/"another"', '', 'ETAG-without-quotes'])('%s is not', async (sent) => {
    expectWhole(await get({ 'If-None-Match': sent.replace('ETAG', etag.slice(1, -1)) }))
  })

  test('two files have two tags', async () => {
    const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'again.jpg', bytes: BYTES }])
    const { headers } = await get({}, 'GET', `/workouts/${RUN}/media/${json[0].id}`)
    expect(headers.get('etag')?.[0]).not.toBe(etag)
  })
})

describe('404', () => {
  const id = (): string => path.split('/').at(-1) ?? ''
  test.each([
    ['a media id that is a path', (): string => `/workouts/${RUN}/media/..%2Fraw%2F${RUN}`, 'Media not found'],
    ['media of another workout', (): string => `/workouts/${OTHER}/media/${id()}`, 'Media not found'],
  ] as const)('%s', async (_name, address, error) => {
    for (const [method, length] of [
      ['GET', error.length + 12],
      ['DELETE', error.length + 12],
      ['HEAD', 0],
    ] as const) {
      const { status, headers, body } = await get({ Range: 'bytes=0-9' }, method, address())
      expect([method, status, body.length]).toEqual([method, 404, length])
      expect(headers.get('content-type')).toEqual(['application/json; charset=utf-8'])
      if (length > 0) expect(JSON.parse(body.toString())).toEqual({ error })
    }
    expectWhole(await get())
  })

  test('a file lost on disk, with one line in the log', async () => {
    const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: 'lost.jpg', bytes: BYTES }])
    rmSync(`${app.deps.config.dataDir}/files/media/${json[0].id}`)
    const before = app.logged.length
    const { status, body } = await get({}, 'GET', `/workouts/${RUN}/media/${json[0].id}`)
    expect([status, body.toString()]).toEqual([404, '{"error":"Media not found"}'])
    expect(app.logged.slice(before)).toEqual([`warn The file of the media ${json[0].id} is missing`])
  })
})

describe('Content-Disposition', () => {
  // RFC 8187: everything but attr-char is percent-encoded, as UTF-8
  test.each([
    ['löpning 🏃.jpg', `filename="l_pning _.jpg"; filename*=UTF-8''l%C3%B6pning%20%F0%9F%8F%83.jpg`],
    [`it's (a) *.jpg`, `filename="it's (a) *.jpg"; filename*=UTF-8''it%27s%20%28a%29%20%2A.jpg`],
    [
      'say "hi"; x=y, 100%.jpg',
      `filename="say _hi_; x=y, 100_.jpg"; filename*=UTF-8''say%20%22hi%22%3B%20x%3Dy%2C%20100%25.jpg`,
    ],
    ['東京.jpg', `filename="__.jpg"; filename*=UTF-8''%E6%9D%B1%E4%BA%AC.jpg`],
  ])('%s', async (filename, expected) => {
    const { json } = await app.upload(`/workouts/${RUN}/media`, [{ name: filename, bytes: BYTES }])
    expect(json[0].filename).toBe(filename)
    const { headers } = await get({}, 'GET', `/workouts/${RUN}/media/${json[0].id}`)
    expect(headers.get('content-disposition')).toEqual([`inline; ${expected}`])
  })
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

  test('is the file itself where it is small already, damaged, or a film', async () => {
    for (const [name, bytes] of [
      ['tiny.png', png(20)],
      ['damaged.jpg', jpeg(80_000)],
      ['film.mp4', joined(isoMedia('isom', 'mp42'), new Uint8Array(80_000))],
    ] as const) {
      const address = await uploaded(name, bytes)
      const { status, body } = await get({}, 'GET', `${address}?small=true`)
      expect([name, status, body.equals(Buffer.from(bytes))]).toEqual([name, 200, true])
    }
  })

  test('of a claim of more pixels than are unpacked is the file itself', async () => {
    const bomb = greyPng(30_000, 30_000, Buffer.alloc(30_000), Buffer.alloc(70_000))
    const address = await uploaded('bomb.png', bomb)
    expect((await get({}, 'GET', `${address}?small=true`)).body.equals(Buffer.from(bomb))).toBe(true)
  })
})

import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { AppError } from '../../src/errors.ts'
import { answerError } from '../../src/http/errors.ts'
import { readUpload, type Upload, uploadLimit } from '../../src/http/multipart.ts'
import { pathIds } from '../../src/http/path-ids.ts'
import { consoleLog } from '../../src/log.ts'
import { tempFolder } from '../temp-folder.ts'

const tmpDir = tempFolder()

const BOUNDARY = '----x7'
const LIMITS = { maxBytes: 10_000_000, tmpDir }

interface Part {
  readonly head: string
  readonly body: Uint8Array | string
}

const file = (name: string, body: Part['body'] = 'AAA', field = 'file'): Part => ({
  head: `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream`,
  body,
})
const field = (name: string, body: string): Part => ({ head: `Content-Disposition: form-data; name="${name}"`, body })

function bytesOf(parts: readonly Part[]): Uint8Array {
  const pieces = parts.flatMap(({ head, body }) => [`--${BOUNDARY}\r\n${head}\r\n\r\n`, body, '\r\n'])
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)))
}

/** Sent in pieces of `step` bytes, as a network would. */
function requestOf(bytes: Uint8Array, { step = bytes.length || 1, headers = {} } = {}): Request {
  let offset = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (offset >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(offset, offset + step))
      offset += step
    },
  })
  return new Request('http://localhost/x', {
    method: 'POST',
    body,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
  })
}

const upload = (parts: readonly Part[], step?: number) =>
  readUpload(requestOf(bytesOf(parts), step === undefined ? {} : { step }), LIMITS)

async function refusal(request: Request, options = LIMITS): Promise<string> {
  try {
    await (await readUpload(request, options)).dispose()
    return 'no refusal'
  } catch (error) {
    return error instanceof AppError ? error.kind : String(error)
  }
}

const content = async (sent: Upload, index = 0) => new TextDecoder('latin1').decode(await sent.files[index]?.bytes())

describe('an upload', () => {
  test('every file part counts, whatever its field is called, beside the fields', async () => {
    const sent = await upload([
      file('a.gpx', 'one'),
      field('unitPreference', 'metric'),
      file('b.fit', 'two!', 'anything'),
    ])
    expect(sent.files.map(({ filename, size }) => [filename, size])).toEqual([
      ['a.gpx', 3],
      ['b.fit', 4],
    ])
    expect([await content(sent), await content(sent, 1)]).toEqual(['one', 'two!'])
    expect([...sent.fields]).toEqual([['unitPreference', 'metric']])
  })

  test('arrives the same in pieces of any size', async () => {
    const tricky = `\r\n--${BOUNDARY.slice(0, 4)}\r\n--\r\n\r\n`
    for (const step of [1, 2, 3, 5, 7, 64]) {
      const sent = await upload([field('caption', 'grüße'), file('a.bin', tricky), file('b.bin', '')], step)
      expect([sent.fields.get('caption'), await content(sent), sent.files[1]?.size]).toEqual(['grüße', tricky, 0])
    }
  })

  test.each([
    ['löpning 🏃.fit', 'löpning 🏃.fit'],
    ['../../etc/passwd.fit', 'passwd.fit'],
    ['C:\\\\runs\\\\a.fit', 'a.fit'],
    ['a\\"b.fit', 'a"b.fit'],
    ['a%22b.fit', 'a"b.fit'],
    ['=?utf-8?B?bMO2cC5maXQ=?=', 'löp.fit'],
    ['tab\there.fit', 'tabhere.fit'],
  ])('a file called %s is %s', async (sent, expected) => {
    expect((await upload([file(sent)])).files[0]?.filename).toBe(expected)
  })

  test('a file field that was left empty is not a file', async () => {
    expect((await upload([file('', '')])).files).toEqual([])
    expect((await upload([field('a', 'b')])).files).toEqual([])
  })

  test('large parts and many small ones are in temporary files until they are disposed of', async () => {
    const large = new Uint8Array(1_000_000).map((_, index) => index % 251)
    const small = Array.from({ length: 40 }, (_, index) => file(`${index}.bin`, new Uint8Array(200_000).fill(index)))
    const sent = await upload([file('large.bin', large), ...small], 65_536)
    expect(await sent.files[0]?.bytes()).toEqual(large)
    expect(sent.files[0]?.path).toStartWith(tmpDir)
    const held = sent.files.filter(({ path }) => path === null).reduce((sum, { size }) => sum + size, 0)
    expect(held).toBeLessThanOrEqual(4_194_304)
    for (const [index, { size }] of sent.files.slice(1).entries()) {
      expect(size).toBe(200_000)
      expect((await sent.files[index + 1]?.bytes())?.every((byte) => byte === index)).toBe(true)
    }
    expect(readdirSync(tmpDir).length).toBeGreaterThan(1)
    await sent.dispose()
    expect(readdirSync(tmpDir)).toEqual([])
  })
})

describe('an upload is refused', () => {
  test('when it is not multipart', async () => {
    const bytes = bytesOf([file('a')])
    expect(await refusal(requestOf(bytes, { headers: { 'content-type': 'application/json' } }))).toBe('invalid')
    expect(await refusal(requestOf(bytes, { headers: { 'content-type': 'multipart/form-data' } }))).toBe('invalid')
    expect(await refusal(requestOf(bytes, { headers: { 'content-type': 'multipart/mixed; boundary=x' } }))).toBe(
      'invalid',
    )
    const empty = { method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
    expect(await refusal(new Request('http://localhost/x', empty))).toBe('invalid')
  })

  test('wherever it is cut, and nothing is left behind', async () => {
    const bytes = bytesOf([field('a', 'b'), file('a.bin', new Uint8Array(400_000)), file('b.bin', 'BBBB')])
    for (let sixtyFourth = 0; sixtyFourth < 64; sixtyFourth += 1) {
      const cut = bytes.slice(0, Math.floor((bytes.length * sixtyFourth) / 64))
      expect(await refusal(requestOf(cut, { step: 65_536 })), `${sixtyFourth}/64`).toBe('invalid')
    }
    expect(await refusal(requestOf(bytes.slice(0, -6)))).toBe('invalid')
    expect(await refusal(requestOf(new TextEncoder().encode('garbage')))).toBe('invalid')
    expect(readdirSync(tmpDir)).toEqual([])
  })

  test('as soon as the files together exceed the limit, without reading on', async () => {
    const parts = Array.from({ length: 5 }, (_, index) => file(`${index}`, new Uint8Array(300_000)))
    const limit = { maxBytes: 1_000_000, tmpDir }
    expect(await refusal(requestOf(bytesOf(parts), { step: 50_000 }), limit)).toBe('tooLarge')
    expect(await refusal(requestOf(bytesOf(parts.slice(0, 3)), { step: 50_000 }), limit)).toBe('no refusal')
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(pulled === 0 ? bytesOf([file('a')]).slice(0, -15) : new Uint8Array(65_536))
        pulled += 1
      },
    })
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
    expect(await refusal(new Request('http://localhost/x', { method: 'POST', body: endless, headers }), limit)).toBe(
      'tooLarge',
    )
    expect(pulled).toBeLessThan(60)
    expect(readdirSync(tmpDir)).toEqual([])
  })

  test('before it is read when it announces too much', async () => {
    const headers = { 'content-length': '99000000' }
    expect(await refusal(requestOf(bytesOf([file('a')]), { headers }))).toBe('tooLarge')
  })

  test('413 before its path id is looked at, when the route says so', async () => {
    const app = new Elysia()
      .onError(({ error, code, request }) => answerError({ error, code, request, log: consoleLog('error') }))
      .post('/workouts/:id/media', async ({ request }) => (await readUpload(request, LIMITS)).files.length, {
        ...uploadLimit(LIMITS.maxBytes),
        params: pathIds({ id: 'Workout' }),
      })
    const status = async (id: string, headers = {}) => {
      const { body, headers: sent } = requestOf(bytesOf([file('a')]), { headers })
      const request = new Request(`http://localhost/workouts/${id}/media`, { method: 'POST', body, headers: sent })
      const answer = await app.handle(request)
      return [answer.status, await answer.text()]
    }
    expect((await status('x', { 'content-length': '99000000' }))[0]).toBe(413)
    expect((await status('x'))[0]).toBe(404)
    expect(await status(crypto.randomUUID())).toEqual([200, '1'])
  })

  test('for fields that are too many or too long', async () => {
    expect(await refusal(requestOf(bytesOf([field('a', 'x'.repeat(70_000))])))).toBe('invalid')
    expect(await refusal(requestOf(bytesOf(Array.from({ length: 101 }, (_, index) => field(`f${index}`, 'x')))))).toBe(
      'invalid',
    )
  })

  test('when the client goes away, and nothing is left behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-multipart-'))
    let pulled = 0
    const breaking = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        if (pulled === 1) controller.enqueue(bytesOf([file('a')]).slice(0, -15))
        else if (pulled < 12) controller.enqueue(new Uint8Array(65_536))
        else controller.error(new DOMException('The connection was closed', 'AbortError'))
      },
    })
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
    const request = new Request('http://localhost/x', { method: 'POST', body: breaking, headers })
    expect(await refusal(request, { ...LIMITS, tmpDir: folder })).toBe('invalid')
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
  })
})

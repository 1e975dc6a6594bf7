import { afterEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { AppError } from '../../src/base/errors.ts'
import { readUpload, type Upload } from '../../src/http/multipart.ts'
import { tempFolder } from '../temp-folder.ts'

const tmpDir = tempFolder()

const BOUNDARY = '----x7'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
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
  const init = { method: 'POST', body, headers: { 'content-type': TYPE, ...headers } }
  return new Request('http://localhost/x', init)
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
  test('every file part counts, whatever its field is called, beside the fields; one left empty is none', async () => {
    const sent = await upload([
      ...[file('a.gpx', 'one'), field('unitPreference', 'metric'), file('b.fit', 'two!', 'anything'), file('', '')],
    ])
    expect(sent.files.map(({ filename, size }) => `${filename} ${size}`)).toEqual(['a.gpx 3', 'b.fit 4'])
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

  test('names of files are read as clients write them, and lose their folders', async () => {
    for (const [sent, expected] of [
      ['löpning 🏃.fit', 'löpning 🏃.fit'],
      ['../../etc/passwd.fit', 'passwd.fit'],
      ['C:\\\\runs\\\\a.fit', 'a.fit'],
      ['a\\"b.fit', 'a"b.fit'],
      ['a%22b.fit', 'a"b.fit'],
      ['=?utf-8?B?bMO2cC5maXQ=?=', 'löp.fit'],
      ['tab\there.fit', 'tabhere.fit'],
    ] as const)
      expect((await upload([file(sent)])).files[0]?.filename).toBe(expected)
  })
})

describe('an upload is refused, and nothing is left behind,', () => {
  afterEach(() => expect(readdirSync(tmpDir)).toEqual([]))
  const typed = (type: string) => requestOf(bytesOf([file('a')]), { headers: { 'content-type': type } })

  test('when it is not multipart, has too many or too long fields, or announces too much', async () => {
    const empty = { method: 'POST', headers: { 'content-type': TYPE } }
    const many = Array.from({ length: 101 }, (_, index) => field(`f${index}`, 'x'))
    for (const [request, kind] of [
      [typed('application/json'), 'invalid'],
      [typed('multipart/form-data'), 'invalid'],
      [typed('multipart/mixed; boundary=x'), 'invalid'],
      [new Request('http://localhost/x', empty), 'invalid'],
      [requestOf(new TextEncoder().encode('garbage')), 'invalid'],
      [requestOf(bytesOf([field('a', 'x'.repeat(70_000))])), 'invalid'],
      [requestOf(bytesOf(many)), 'invalid'],
      [requestOf(bytesOf(many.slice(1))), 'no refusal'],
      [requestOf(bytesOf([file('a')]), { headers: { 'content-length': '99000000' } }), 'tooLarge'],
    ] as const)
      expect(await refusal(request)).toBe(kind)
  })

  test('wherever it is cut', async () => {
    const bytes = bytesOf([field('a', 'b'), file('a.bin', new Uint8Array(400_000)), file('b.bin', 'BBBB')])
    for (let sixtyFourth = 0; sixtyFourth < 64; sixtyFourth += 1) {
      const cut = bytes.slice(0, Math.floor((bytes.length * sixtyFourth) / 64))
      expect(await refusal(requestOf(cut, { step: 65_536 })), `${sixtyFourth}/64`).toBe('invalid')
    }
    expect(await refusal(requestOf(bytes.slice(0, -6)))).toBe('invalid')
  })

  /** The head of a file, and zeros without end, or until the client goes away. */
  function endless(breaksAt = Number.POSITIVE_INFINITY) {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (pulled === breaksAt) controller.error(new DOMException('The connection was closed', 'AbortError'))
        else controller.enqueue(pulled === 0 ? bytesOf([file('a')]).slice(0, -15) : new Uint8Array(65_536))
        pulled += 1
      },
    })
    const init = { method: 'POST', body, headers: { 'content-type': TYPE } }
    return { request: new Request('http://localhost/x', init), pulled: () => pulled }
  }

  test('as soon as the files together exceed the limit, without reading on, or when the client goes away', async () => {
    const parts = Array.from({ length: 5 }, (_, index) => file(`${index}`, new Uint8Array(300_000)))
    const limit = { maxBytes: 1_000_000, tmpDir }
    expect(await refusal(requestOf(bytesOf(parts), { step: 50_000 }), limit)).toBe('tooLarge')
    expect(await refusal(requestOf(bytesOf(parts.slice(0, 3)), { step: 50_000 }), limit)).toBe('no refusal')
    const { request, pulled } = endless()
    expect(await refusal(request, limit)).toBe('tooLarge')
    expect(pulled()).toBeLessThan(60)
    expect(await refusal(endless(12).request)).toBe('invalid')
  })
})

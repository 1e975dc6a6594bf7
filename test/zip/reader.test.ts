import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ZipError } from '../../src/zip/zip-error.ts'
import { type BuiltEntry, buildZip } from '../fixtures/zip-builder.ts'
import { tempFolder } from '../temp-folder.ts'
import { contents, withZip } from './archive-file.ts'
import { hasPython, python } from './python.ts'

const folder = tempFolder()
const TWO: readonly BuiltEntry[] = [
  { name: 'activities.csv', data: 'id,name', method: 8 },
  { name: 'activities/1.gpx', data: '<gpx/>' },
]

/** What opening ends with: `opened`, or the kind of the refusal. */
async function opening(bytes: Uint8Array) {
  return withZip(bytes, () => 'opened').catch((error) => {
    if (!(error instanceof ZipError)) throw error
    return `${error.scope} ${error.kind}: ${error.message}`
  })
}

const PROGRAM = `
import io, sys, zipfile
class Pipe(io.RawIOBase):
  def __init__(self, path): self.file = open(path, 'wb')
  def writable(self): return True
  def write(self, b): return self.file.write(b)
with zipfile.ZipFile(Pipe(sys.argv[1]), 'w') as z:
  with z.open('zip64.txt', 'w', force_zip64=True) as f: f.write(b'sixty-four')
  z.writestr('packed.txt', 'ab' * 5000, zipfile.ZIP_DEFLATED)
  z.writestr('Läufe/Ü.gpx', 'utf-8')
  class Old(zipfile.ZipInfo):
    def _encodeFilenameFlags(self): return 'Café.txt'.encode('cp437'), self.flag_bits
  z.writestr(Old('Caf?.txt'), 'cp437')
  z.comment = b'made by hand PK\\x05\\x06 with a signature'
`
test.skipIf(!hasPython)(
  'an archive by Python: Zip64 entries, descriptors of a pipe, a comment, old names',
  async () => {
    const path = join(folder, 'python.zip')
    python(PROGRAM, path)
    expect(await withZip(readFileSync(path), (zip) => contents(zip))).toEqual([
      ['zip64.txt', 'sixty-four'],
      ['packed.txt', 'ab'.repeat(5000)],
      ['Läufe/Ü.gpx', 'utf-8'],
      ['Café.txt', 'cp437'],
    ])
  },
)

test.each([
  ['a comment', buildZip(TWO, { comment: 'x'.repeat(65_535) })],
  ['a comment that holds an end record', buildZip(TWO, { comment: buildZip([]) })],
  ['bytes before it', buildZip(TWO, { before: 'HTTP/1.1 200 OK\r\n\r\n' })],
  ['bytes behind it', buildZip(TWO, { after: 'x'.repeat(60_000) })],
  ['a Zip64 end', buildZip(TWO, { isZip64: true })],
  ['a Zip64 end and bytes before it', buildZip(TWO, { isZip64: true, before: 'junk' })],
  ['the mark of a split archive before it', buildZip(TWO, { before: 'PK00' })],
])('an archive is read with %s', async (_, bytes) => {
  expect((await withZip(bytes, (zip) => contents(zip))).map(([, content]) => content)).toEqual(['id,name', '<gpx/>'])
})

test('an archive in an archive is one file', async () => {
  const inner = buildZip([{ name: 'inner.txt', data: 'inner' }])
  const bytes = buildZip([
    { name: 'first.txt', data: 'first' },
    { name: 'nested.zip', data: inner },
  ])
  expect(await withZip(bytes, (zip) => [...zip.entries()].map((entry) => [entry.name, entry.size]))).toEqual([
    ['first.txt', 5],
    ['nested.zip', inner.length],
  ])
  // cut behind the nested archive, the file ends with a perfect end record: that of the nested one
  expect(await opening(bytes.subarray(0, bytes.indexOf(inner) + inner.length))).toBe(CUT)
})

test('a file is found however its path is spelled, of two the last, and nothing by a path that leaves it', async () => {
  const bytes = buildZip([
    { name: 'a.txt', data: 'old' },
    ...[{ name: 'media/Cafe\u0301.jpg' }, { name: 'activities\\2.gpx' }, { name: './a.txt', data: 'new' }],
  ])
  await withZip(bytes, async (zip) => {
    const paths = ['media/Café.jpg', './media//Cafe\u0301.jpg', 'media\\Café.jpg', 'activities/2.gpx', 'a.txt']
    expect(paths.map((path) => zip.find(path)?.index)).toEqual([1, 1, 1, 2, 3])
    expect([zip.find('activities/2.gpx')?.name, zip.entries().length]).toEqual(['activities/2.gpx', 4])
    expect(new TextDecoder().decode(await zip.bytes(zip.find('a.txt')!, 10))).toBe('new')
    for (const path of ['media/../media/Café.jpg', '/media/Café.jpg', 'media', 'media/', '', 'C:media/Café.jpg']) {
      expect(zip.find(path)).toBeNull()
    }
  })
})

const CUT = 'archive damaged: The ZIP archive is cut off: its table of contents is missing'
const NO_ZIP = 'archive notZip: The file is not a ZIP archive'
const LIES = 'archive damaged: The table of contents of the ZIP archive is damaged'
const OVERLAP = 'archive unsafe: Files in the ZIP archive overlap'
const again: BuiltEntry = { name: 'again', data: 'id,name', method: 8, claims: { offset: 0 } }
const reaching: BuiltEntry = { name: 'a', data: 'aaaa', claims: { compressedSize: 40, size: 40 } }
test.each<readonly [name: string, bytes: Uint8Array, outcome: string]>([
  ['an empty file', new Uint8Array(0), 'archive notZip: The file is empty'],
  ['a text', Buffer.from('<html>Please log in</html>'), NO_ZIP],
  ['a first half', buildZip(TWO).subarray(0, 60), CUT],
  ['one part of several', buildZip(TWO, { claims: { disk: 3 } }), 'archive damaged: The ZIP archive is one part'],
  ['a table of too many entries', buildZip(TWO, { claims: { count: 3 } }), LIES],
  ['a table of too few entries', buildZip(TWO, { claims: { count: 1 } }), LIES],
  ['a table of a shorter length', buildZip(TWO, { claims: { length: 60 } }), CUT],
  ['a table outside', buildZip(TWO, { claims: { start: 0xfffffff0 } }), 'archive damaged'],
  ['entries that share their bytes', buildZip([...TWO, again]), OVERLAP],
  ['an entry that reaches into the next', buildZip([reaching, ...TWO]), OVERLAP],
])('%s ends in a sentence', async (_, bytes, outcome) => {
  expect(await opening(bytes)).toStartWith(outcome)
})

test('more entries than allowed are refused, whatever the end record counts', async () => {
  const entries = Array.from({ length: 100_001 }, (_, k) => ({ name: `${k}` }))
  // without a Zip64 record the count is modulo 65,536
  expect(await withZip(buildZip(entries.slice(1)), (zip) => [zip.entries().length, zip.find('100000')?.index])).toEqual(
    [100_000, 99_999],
  )
  const refusal = 'archive tooLarge: The ZIP archive holds more than 100000 files'
  expect(await opening(buildZip(entries))).toBe(refusal)
  expect(await opening(buildZip(TWO, { isZip64: true, claims: { count: 100_001 } }))).toBe(refusal)
})

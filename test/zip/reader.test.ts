import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { ZipError } from '../../src/zip/zip-error.ts'
import { corpusFile, corpusTest } from '../corpus.ts'
import { type BuiltEntry, buildZip, endRecord } from '../fixtures/zip-builder.ts'
import { tempFolder } from '../temp-folder.ts'
import { contents, MIB, NO_LIMIT, withZip } from './archive-file.ts'
import { hasPython, python } from './python.ts'

const folder = tempFolder()
const TWO: readonly BuiltEntry[] = [
  { name: 'activities.csv', data: 'id,name', method: 8 },
  { name: 'activities/1.gpx', data: '<gpx/>' },
]

/** An end record that knows the last entry of `TWO` only. */
function endOfLast(): Buffer {
  const bytes = buildZip(TWO)
  const start = bytes.lastIndexOf('PK\x01\x02')
  return endRecord({ count: 1, start, length: bytes.length - 22 - start })
}

/** What opening ends with: `opened`, or the kind of the refusal. */
async function opening(bytes: Uint8Array, limits: { maxUnpackedBytes: number; maxEntries?: number } = NO_LIMIT) {
  return withZip(bytes, () => 'opened', limits).catch((error) => {
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
    const zip = await openZip(path, NO_LIMIT)
    expect(await contents(zip)).toEqual([
      ['zip64.txt', 'sixty-four'],
      ['packed.txt', 'ab'.repeat(5000)],
      ['Läufe/Ü.gpx', 'utf-8'],
      ['Café.txt', 'cp437'],
    ])
    await zip.close()
  },
)

test.each([
  ['a comment', buildZip(TWO, { comment: 'x'.repeat(65_535) })],
  ['a comment that holds an end record', buildZip(TWO, { comment: buildZip([]) })],
  ['bytes before it', buildZip(TWO, { before: 'HTTP/1.1 200 OK\r\n\r\n' })],
  ['bytes behind it', buildZip(TWO, { after: 'x'.repeat(60_000) })],
  ['bytes before and behind it', buildZip(TWO, { before: 'junk', after: 'junk' })],
  ['an end of one entry in its comment', buildZip(TWO, { comment: Buffer.concat([endOfLast(), Buffer.from('x')]) })],
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
    expect([zip.find('activities/2.gpx')?.name, zip.entryCount]).toEqual(['activities/2.gpx', 4])
    expect(new TextDecoder().decode(await zip.bytes(zip.find('a.txt')!, 10))).toBe('new')
    for (const path of ['media/../media/Café.jpg', '/media/Café.jpg', 'media', 'media/', '', 'C:media/Café.jpg']) {
      expect(zip.find(path)).toBeNull()
    }
  })
})

test('70,000 files without Zip64 record are read whole', async () => {
  const bytes = buildZip(Array.from({ length: 70_000 }, (_, i) => ({ name: `${i}` })))
  expect(await withZip(bytes, (zip) => [zip.entryCount, zip.find('69999')?.index])).toEqual([70_000, 69_999])
})

test('an archive can be read in several places at once, and left in the middle', async () => {
  const large = Buffer.alloc(2 * MIB, 'abcdefg')
  const bytes = buildZip([
    { name: 'a', data: large, method: 8 },
    { name: 'b', data: large },
  ])
  await withZip(bytes, async (zip) => {
    for (const entry of zip.entries()) {
      for await (const piece of zip.read(entry, { maxBytes: large.length })) {
        expect(piece.length).toBeGreaterThan(0)
        break
      }
    }
    const all = await Promise.all([...zip.entries(), ...zip.entries()].map((entry) => zip.bytes(entry, large.length)))
    expect(all.map((found) => large.equals(found))).toEqual([true, true, true, true])
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
  ['one byte', Buffer.from('P'), NO_ZIP],
  ['a text', Buffer.from('<html>Please log in</html>'), NO_ZIP],
  ['zeros', new Uint8Array(100_000), NO_ZIP],
  ['a cut end', buildZip(TWO).subarray(0, -5), CUT],
  ['a first half', buildZip(TWO).subarray(0, 60), CUT],
  [
    'one part of several',
    buildZip(TWO, { claims: { disk: 3 } }),
    'archive damaged: The ZIP archive is one part of sev',
  ],
  ['end records only', Buffer.concat(Array(3000).fill(buildZip([]))), 'opened'],
  // a signature in place of fields reads as part 19280 of an archive
  ['signatures only', Buffer.from('PK\x05\x06'.repeat(40_000)), 'archive '],
  ['a table of too many entries', buildZip(TWO, { claims: { count: 3 } }), LIES],
  ['a table of too few entries', buildZip(TWO, { claims: { count: 1 } }), LIES],
  ['a table of a shorter length', buildZip(TWO, { claims: { length: 60 } }), LIES],
  ['a table outside', buildZip(TWO, { claims: { start: 0xfffffff0 } }), 'archive damaged'],
  ['a table of an impossible length', buildZip(TWO, { claims: { length: 0xfffffff0 } }), 'archive damaged'],
  ['entries that share their bytes', buildZip([...TWO, again]), OVERLAP],
  ['an entry that reaches into the next', buildZip([reaching, ...TWO]), OVERLAP],
])('%s ends in a sentence', async (_, bytes, outcome) => {
  expect(await opening(bytes)).toStartWith(outcome)
})

test('more entries than allowed are refused, whatever the end record counts', async () => {
  const limits = { maxUnpackedBytes: 1, maxEntries: 2 }
  const three = [...TWO, { name: 'c' }]
  expect(await opening(buildZip(TWO), limits)).toBe('opened')
  expect(await opening(buildZip(three), limits)).toBe('archive tooLarge: The ZIP archive holds more than 2 files')
  expect(await opening(buildZip(three, { claims: { count: 2 } }), limits)).toStartWith('archive tooLarge')
})

corpusTest('of the archive that points outside only its harmless files can be read', async () => {
  await withZip(corpusFile('bad/zip-slip.zip'), async (zip) => {
    const entries = [...zip.entries()].map(({ name, size, problem }) => [name, size, problem])
    const found = (await contents(zip)).map(([, content]) => content.slice(0, 12))
    expect(entries.map((entry, place) => [...entry, found[place]])).toEqual([
      ['activities.csv', 1680, null, expect.any(String)],
      ['../../../../tmp/evil.gpx', 5911, 'unsafe', 'entry unsafe'],
      ['/etc/evil.txt', 1, 'unsafe', 'entry unsafe'],
      ['activities/../../evil.gpx', 5911, 'unsafe', 'entry unsafe'],
      ['activities\\..\\..\\evil2.gpx', 5911, 'unsafe', 'entry unsafe'],
      ['activities/1.gpx', 5911, null, expect.stringContaining('<')],
    ])
    expect(zip.find('../../../../tmp/evil.gpx')).toBeNull()
  })
})

import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { ZipError } from '../../src/zip/zip-error.ts'
import { corpusFile, corpusTest } from '../corpus.ts'
import { type BuiltEntry, buildZip, endRecord } from '../fixtures/zip-builder.ts'
import { contents, MIB, NO_LIMIT, withZip } from './archive-file.ts'
import { hasPython, python } from './python.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-unzip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
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

describe('an archive', () => {
  test.skipIf(!hasPython)('by Python is read: Zip64 entries, descriptors of a pipe, a comment, old names', async () => {
    const path = join(folder, 'python.zip')
    python(
      `
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
`,
      path,
    )
    const zip = await openZip(path, NO_LIMIT)
    expect(await contents(zip)).toEqual([
      ['zip64.txt', 'sixty-four'],
      ['packed.txt', 'ab'.repeat(5000)],
      ['Läufe/Ü.gpx', 'utf-8'],
      ['Café.txt', 'cp437'],
    ])
    await zip.close()
  })

  const around: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['a comment', buildZip(TWO, { comment: 'x'.repeat(65_535) })],
    ['a comment that holds an end record', buildZip(TWO, { comment: buildZip([]) })],
    ['bytes before it', buildZip(TWO, { before: 'HTTP/1.1 200 OK\r\n\r\n' })],
    ['bytes behind it', buildZip(TWO, { after: 'x'.repeat(60_000) })],
    ['bytes before and behind it', buildZip(TWO, { before: 'junk', after: 'junk' })],
    [
      'an end record of one entry in its comment',
      buildZip(TWO, { comment: Buffer.concat([endOfLast(), Buffer.from('x')]) }),
    ],
    ['a Zip64 end', buildZip(TWO, { isZip64: true })],
    ['a Zip64 end and bytes before it', buildZip(TWO, { isZip64: true, before: 'junk' })],
    ['the mark of a split archive before it', buildZip(TWO, { before: 'PK00' })],
  ]
  for (const [name, bytes] of around) {
    test(`is read with ${name}`, async () => {
      expect((await withZip(bytes, (zip) => contents(zip))).map(([, content]) => content)).toEqual([
        'id,name',
        '<gpx/>',
      ])
    })
  }

  test('with a nested archive gives that as one file', async () => {
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
    const cut = bytes.subarray(0, bytes.indexOf(inner) + inner.length)
    expect(await opening(cut)).toBe('archive damaged: The ZIP archive is cut off: its table of contents is missing')
  })

  test('of two equal names gives the last', async () => {
    const bytes = buildZip([
      { name: 'a.txt', data: 'old' },
      { name: 'b.txt', data: 'other' },
      { name: './a.txt', data: 'new' },
    ])
    await withZip(bytes, async (zip) => {
      const found = zip.find('a.txt')
      expect(found && text(await zip.bytes(found, 10))).toBe('new')
      expect(zip.entryCount).toBe(3)
    })
  })

  test('finds a file however its path is spelled, and nothing by a path that leaves it', async () => {
    const bytes = buildZip([{ name: 'media/Cafe\u0301.jpg' }, { name: 'activities\\2.gpx' }])
    await withZip(bytes, (zip) => {
      expect(
        ['media/Café.jpg', './media//Cafe\u0301.jpg', 'media\\Café.jpg'].map((path) => zip.find(path)?.index),
      ).toEqual([0, 0, 0])
      expect(zip.find('activities/2.gpx')?.name).toBe('activities/2.gpx')
      for (const path of ['media/../media/Café.jpg', '/media/Café.jpg', 'media', 'media/', '', 'C:media/Café.jpg']) {
        expect(zip.find(path)).toBeNull()
      }
    })
  })

  test('of 70,000 files without Zip64 record is read whole', async () => {
    const bytes = buildZip(Array.from({ length: 70_000 }, (_, i) => ({ name: `${i}` })))
    expect(await withZip(bytes, (zip) => [zip.entryCount, zip.find('69999')?.index])).toEqual([70_000, 69_999])
  })

  test('can be read in several places at once, and left in the middle', async () => {
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
})

describe('a file that is not an archive', () => {
  const whole = buildZip(TWO)
  const cases: readonly (readonly [name: string, bytes: Uint8Array, outcome: string])[] = [
    ['an empty one', new Uint8Array(0), 'archive notZip: The file is empty'],
    ['one byte', Buffer.from('P'), 'archive notZip: The file is not a ZIP archive'],
    ['a text', Buffer.from('<html>Please log in</html>'), 'archive notZip: The file is not a ZIP archive'],
    ['zeros', new Uint8Array(100_000), 'archive notZip: The file is not a ZIP archive'],
    [
      'a cut end',
      whole.subarray(0, -5),
      'archive damaged: The ZIP archive is cut off: its table of contents is missing',
    ],
    [
      'a first half',
      whole.subarray(0, 60),
      'archive damaged: The ZIP archive is cut off: its table of contents is missing',
    ],
    [
      'one part of several',
      buildZip(TWO, { claims: { disk: 3 } }),
      'archive damaged: The ZIP archive is one part of several',
    ],
    ['end records only', Buffer.concat(Array(3000).fill(buildZip([]))), 'opened'],
    ['signatures only', Buffer.from('PK\x05\x06'.repeat(40_000)), 'archive notZip: The file is not a ZIP archive'],
  ]
  for (const [name, bytes, outcome] of cases) {
    test(`${name} ends in a sentence`, async () => {
      const got = await opening(bytes)
      // a signature in place of fields reads as part 19280 of an archive
      if (name === 'signatures only') expect(got).toMatch(/^archive (notZip|damaged): /)
      else expect(got).toBe(outcome)
    })
  }
})

describe('a table of contents that lies', () => {
  const inContents = 'archive damaged: The table of contents of the ZIP archive is damaged'
  const cases: readonly (readonly [name: string, bytes: Uint8Array, outcome: string])[] = [
    ['too many entries', buildZip(TWO, { claims: { count: 3 } }), inContents],
    ['too few entries', buildZip(TWO, { claims: { count: 1 } }), inContents],
    ['a shorter length', buildZip(TWO, { claims: { length: 60 } }), inContents],
    ['a place outside', buildZip(TWO, { claims: { start: 0xfffffff0 } }), 'archive damaged'],
    ['an impossible length', buildZip(TWO, { claims: { length: 0xfffffff0 } }), 'archive damaged'],
    [
      'entries that share their bytes',
      buildZip([...TWO, { name: 'again', data: 'id,name', method: 8, claims: { offset: 0 } }]),
      'archive unsafe: Files in the ZIP archive overlap',
    ],
    [
      'an entry that reaches into the next',
      buildZip([{ name: 'a', data: 'aaaa', claims: { compressedSize: 40, size: 40 } }, ...TWO]),
      'archive unsafe: Files in the ZIP archive overlap',
    ],
  ]
  for (const [name, bytes, outcome] of cases) {
    test(`about ${name} is refused`, async () => {
      expect(await opening(bytes)).toStartWith(outcome)
    })
  }

  test('about more entries than allowed is refused, whatever the end record counts', async () => {
    const limits = { maxUnpackedBytes: 1, maxEntries: 2 }
    const three = [...TWO, { name: 'c' }]
    expect(await opening(buildZip(TWO), limits)).toBe('opened')
    expect(await opening(buildZip(three), limits)).toBe('archive tooLarge: The ZIP archive holds more than 2 files')
    expect(await opening(buildZip(three, { claims: { count: 2 } }), limits)).toStartWith('archive tooLarge')
  })
})

corpusTest('of the archive that points outside only its harmless files can be read', async () => {
  await withZip(corpusFile('bad/zip-slip.zip'), async (zip) => {
    expect([...zip.entries()].map(({ name, size, problem }) => [name, size, problem])).toEqual([
      ['activities.csv', 1680, null],
      ['../../../../tmp/evil.gpx', 5911, 'unsafe'],
      ['/etc/evil.txt', 1, 'unsafe'],
      ['activities/../../evil.gpx', 5911, 'unsafe'],
      ['activities\\..\\..\\evil2.gpx', 5911, 'unsafe'],
      ['activities/1.gpx', 5911, null],
    ])
    expect((await contents(zip)).map(([, content]) => content.slice(0, 12))).toEqual([
      expect.any(String),
      'entry unsafe',
      'entry unsafe',
      'entry unsafe',
      'entry unsafe',
      expect.stringContaining('<'),
    ])
    expect(zip.find('../../../../tmp/evil.gpx')).toBeNull()
  })
})

import { describe, expect, test } from 'bun:test'
import { type BuiltEntry, buildZip } from '../fixtures/zip-builder.ts'
import { contents, MIB, withZip } from './archive-file.ts'

describe('an entry', () => {
  const good: BuiltEntry = { name: 'good', data: 'good' }
  const kilo = 'x'.repeat(1000)
  const cases: readonly (readonly [name: string, entry: BuiltEntry, outcome: string])[] = [
    ['encrypted', { name: 'a', data: 'a', flags: 1 }, 'entry encrypted'],
    ['of an unknown method', { name: 'a', data: 'a', method: 12 }, 'entry damaged'],
    ['of an unknown method above 255', { name: 'a', data: 'a', method: 264 }, 'entry damaged'],
    ['with a wrong checksum', { name: 'a', data: 'a', claims: { crc: 1 } }, 'entry damaged'],
    ['packed, with a wrong checksum', { name: 'a', data: kilo, method: 8, claims: { crc: 1 } }, 'entry damaged'],
    ['larger than declared', { name: 'a', data: kilo, method: 8, claims: { size: 10 } }, 'entry damaged'],
    ['smaller than declared', { name: 'a', data: kilo, method: 8, claims: { size: 1001 } }, 'entry damaged'],
    ['stored under two sizes', { name: 'a', data: kilo, claims: { size: 10 } }, 'entry damaged'],
    ['outside of the file', { name: 'a', data: 'a', claims: { offset: 0xfffffff0 } }, 'entry damaged'],
    ['reaching past the end', { name: 'a', data: 'a', claims: { compressedSize: 0xfffffff0 } }, 'entry damaged'],
    [
      'where no local header is',
      { name: 'a', data: 'a'.repeat(90), method: 0, claims: { offset: 60, compressedSize: 5, size: 5 } },
      'entry damaged',
    ],
    ['with another method in its local header', { name: 'a', data: 'a', claims: { localMethod: 8 } }, 'entry damaged'],
    [
      'whose packed data is garbage',
      { name: 'a', data: '\xff\xff\xff\xff', method: 0, claims: {} },
      '\xff\xff\xff\xff',
    ],
    [
      'above the limit of its caller',
      { name: 'a', data: kilo.repeat(1048) + '0123456789'.repeat(100) },
      'entry tooLarge',
    ],
    ['that is a link', { name: 'a', data: '/etc/passwd', attributes: 0o120777 * 65_536 }, 'entry unsafe'],
    [
      'that is a link made on a Mac',
      { name: 'a', data: 'x', madeBy: 19, attributes: 0o120777 * 65_536 },
      'entry unsafe',
    ],
  ]
  for (const [name, entry, outcome] of cases) {
    test(`${name} fails alone`, async () => {
      const found = await withZip(buildZip([good, entry]), (zip) => contents(zip))
      expect(found).toEqual([
        ['good', 'good'],
        ['a', outcome],
      ])
    })
  }

  for (const name of [
    '../up',
    '/etc/passwd',
    'a/../../b',
    '..',
    '..\\up',
    'C:\\x',
    'c:x',
    '\\\\host\\x',
    'a\0b',
    'a\nb',
    '',
    './',
  ]) {
    test(`named ${JSON.stringify(name)} is unsafe, cannot be found and fails alone`, async () => {
      await withZip(buildZip([{ name, data: 'x' }, good]), async (zip) => {
        expect((await contents(zip)).map(([, content]) => content)).toEqual(['entry unsafe', 'good'])
        expect([...zip.entries()].map(({ problem }) => problem)).toEqual(['unsafe', null])
        expect(zip.find(name)).toBeNull()
      })
    })
  }

  test('packed to less than a thousandth fails even below the limit of its caller, unless it is small', async () => {
    const bytes = buildZip([
      { name: 'large', data: new Uint8Array(3 * MIB), method: 8 },
      { name: 'small', data: new Uint8Array(MIB), method: 8 },
    ])
    await withZip(bytes, async (zip) => {
      const [large, small] = [...zip.entries()]
      expect([large?.problem, small?.problem]).toEqual(['tooLarge', null])
      await expect(zip.bytes(large!, 100 * MIB)).rejects.toMatchObject({ kind: 'tooLarge', scope: 'entry' })
      expect((await zip.bytes(small!, MIB)).length).toBe(MIB)
    })
  })
})

describe('what is unpacked', () => {
  test('is counted over the whole archive, until its limit', async () => {
    const bytes = buildZip([
      { name: 'a', data: 'x'.repeat(600) },
      { name: 'b', data: 'x'.repeat(600), method: 8 },
    ])
    const outcome = (maxUnpackedBytes: number) =>
      withZip(bytes, async (zip) => (await contents(zip)).map(([, content]) => content.slice(0, 20)), {
        maxUnpackedBytes,
      })
    expect(await outcome(1200)).toEqual(['x'.repeat(20), 'x'.repeat(20)])
    expect(await outcome(1199)).toEqual(['x'.repeat(20), 'archive tooLarge'])
  })

  test('of a bomb that declares little costs next to nothing', async () => {
    const bomb = buildZip([{ name: 'a', data: new Uint8Array(300_000_000), method: 8, claims: { size: MIB } }])
    await withZip(bomb, async (zip) => {
      const entry = zip.find('a')!
      let taken = 0
      const before = process.memoryUsage.rss()
      const reading = (async () => {
        for await (const piece of zip.read(entry, { maxBytes: 100 * MIB })) taken += piece.length
      })()
      await expect(reading).rejects.toMatchObject({ kind: 'damaged', scope: 'entry' })
      expect(taken).toBeLessThanOrEqual(MIB)
      expect(process.memoryUsage.rss() - before).toBeLessThan(50 * MIB)
    })
  })
})

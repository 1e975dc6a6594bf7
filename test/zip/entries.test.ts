import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { type BuiltEntry, buildZip } from '../fixtures/zip-builder.ts'
import { contents, MIB, withZip } from './archive-file.ts'

const GOOD: BuiltEntry = { name: 'good', data: 'good' }
const KILO = 'x'.repeat(1000)
const LINK = 0o120777 * 65_536

test.each<readonly [name: string, entry: Omit<BuiltEntry, 'name'>, outcome: string]>([
  ['encrypted', { data: 'a', flags: 1 }, 'entry encrypted'],
  ['of an unknown method', { data: 'a', method: 12 }, 'entry damaged'],
  ['of an unknown method above 255', { data: 'a', method: 264 }, 'entry damaged'],
  ['with a wrong checksum', { data: 'a', claims: { crc: 1 } }, 'entry damaged'],
  ['packed, with a wrong checksum', { data: KILO, method: 8, claims: { crc: 1 } }, 'entry damaged'],
  ['larger than declared', { data: KILO, method: 8, claims: { size: 10 } }, 'entry damaged'],
  ['smaller than declared', { data: KILO, method: 8, claims: { size: 1001 } }, 'entry damaged'],
  ['stored under two sizes', { data: KILO, claims: { size: 10 } }, 'entry damaged'],
  ['outside of the file', { data: 'a', claims: { offset: 0xfffffff0 } }, 'entry damaged'],
  ['reaching past the end', { data: 'a', claims: { compressedSize: 0xfffffff0 } }, 'entry damaged'],
  [
    'where no local header is',
    { data: 'a'.repeat(90), method: 0, claims: { offset: 60, compressedSize: 5, size: 5 } },
    'entry damaged',
  ],
  ['with another method in its local header', { data: 'a', claims: { localMethod: 8 } }, 'entry damaged'],
  ['above the limit of its caller', { data: KILO.repeat(1048) + '0123456789'.repeat(100) }, 'entry tooLarge'],
  ['that is a link', { data: '/etc/passwd', attributes: LINK }, 'entry unsafe'],
  ['that is a link made on a Mac', { data: 'x', madeBy: 19, attributes: LINK }, 'entry unsafe'],
])('an entry %s fails alone', async (_, entry, outcome) => {
  const found = await withZip(buildZip([GOOD, { name: 'a', ...entry }]), (zip) => contents(zip))
  expect(found).toEqual([
    ['good', 'good'],
    ['a', outcome],
  ])
})

test('an entry of an unsafe name cannot be found and fails alone', async () => {
  const names = [
    ...['../up', '/etc/passwd', 'a/../../b', '..', '..\\up', 'C:\\x', 'c:x', '\\\\host\\x', 'a\0b', 'a\nb', '', './'],
  ]
  for (const name of names) {
    await withZip(buildZip([{ name, data: 'x' }, GOOD]), async (zip) => {
      expect((await contents(zip)).map(([, content]) => content)).toEqual(['entry unsafe', 'good'])
      expect([...zip.entries()].map(({ problem }) => problem)).toEqual(['unsafe', null])
      expect(zip.find(name)).toBeNull()
    })
  }
})

test('an entry packed to less than a thousandth fails even below the limit of its caller, unless it is small', async () => {
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

test('what is unpacked is counted over the whole archive, until its limit', async () => {
  const data = 'x'.repeat(600)
  const bytes = buildZip([
    { name: 'a', data },
    { name: 'b', data, method: 8 },
  ])
  for (const [maxUnpackedBytes, second] of [[1200, data] as const, [1199, 'archive tooLarge'] as const]) {
    const found = await withZip(bytes, (zip) => contents(zip), { maxUnpackedBytes })
    expect(found.map(([, content]) => content)).toEqual([data, second])
  }
})

test('a bomb that declares little costs next to nothing', async () => {
  const bomb = buildZip([{ name: 'a', data: new Uint8Array(300_000_000), method: 8, claims: { size: MIB } }])
  await withZip(bomb, async (zip) => {
    let taken = 0
    const before = process.memoryUsage.rss()
    const reading = (async () => {
      for await (const piece of zip.read(zip.find('a')!, { maxBytes: 100 * MIB })) taken += piece.length
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'damaged', scope: 'entry' })
    expect(taken).toBeLessThanOrEqual(MIB)
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * MIB)
  })
})

const NOISE = randomBytes(3 * MIB)
test('the first bytes of an entry are those of the whole, and damage after them does not matter', async () => {
  const entries = [
    { name: 'small', data: 'abcdef', method: 8 },
    { name: 'packed', data: NOISE.subarray(0, MIB), method: 8 },
    { name: 'long', data: NOISE, method: 8 },
    { name: 'stored', data: NOISE, method: 0 },
    { name: 'repeated', data: NOISE.subarray(0, 4096).toString('hex').repeat(400), method: 8 },
    { name: 'empty', data: '' },
  ]
  await withZip(buildZip(entries), async (zip) => {
    for (const bytes of [0, 1, 6, 512, 65_536, 2 * MIB]) {
      for (const { name, data } of entries) {
        const head = await zip.head(zip.find(name)!, bytes)
        expect([name, bytes, Buffer.from(data).subarray(0, bytes).equals(head)]).toEqual([name, bytes, true])
      }
    }
  })
  const damaged = (from: number, to: number) => {
    const bytes = Buffer.from(buildZip([{ name: 'a', data: NOISE.subarray(0, MIB), method: 8 }])).fill(0xff, from, to)
    return withZip(bytes, (zip) => zip.head(zip.find('a')!, 4096))
  }
  expect(NOISE.subarray(0, 4096).equals(await damaged(700_000, 700_100))).toBe(true)
  await expect(damaged(31, 200)).rejects.toThrow('The file is damaged in the ZIP archive')
})

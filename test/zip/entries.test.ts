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
  ['with a wrong checksum', { data: 'a', claims: { crc: 1 } }, 'entry damaged'],
  ['packed, with a wrong checksum', { data: KILO, method: 8, claims: { crc: 1 } }, 'entry damaged'],
  ['larger than declared', { data: KILO, method: 8, claims: { size: 10 } }, 'entry damaged'],
  ['smaller than declared', { data: KILO, method: 8, claims: { size: 1001 } }, 'entry damaged'],
  ['outside of the file', { data: 'a', claims: { offset: 0xfffffff0 } }, 'entry damaged'],
  ['reaching past the end', { data: 'a', claims: { compressedSize: 0xfffffff0 } }, 'entry damaged'],
  ['where no local header is', { data: KILO, claims: { offset: 60, compressedSize: 5, size: 5 } }, 'entry damaged'],
  ['with another method in its local header', { data: 'a', claims: { localMethod: 8 } }, 'entry damaged'],
  ['above the limit of its caller', { data: KILO.repeat(1048) + '0123456789'.repeat(100) }, 'entry tooLarge'],
  ['that is a link', { data: '/etc/passwd', attributes: LINK }, 'entry unsafe'],
])('an entry %s fails alone', async (_, entry, outcome) => {
  const found = await withZip(buildZip([GOOD, { name: 'a', ...entry }]), (zip) => contents(zip))
  expect(found).toEqual([
    ['good', 'good'],
    ['a', outcome],
  ])
})

test('an entry of an unsafe name cannot be found and fails alone', async () => {
  for (const name of ['../up', '/etc/passwd', 'a/../../b', '..\\up', 'C:\\x', 'c:x', '\\\\host\\x', 'a\0b', '']) {
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

test('the first bytes of an entry are those of the whole, and damage after them does not matter', async () => {
  const noise = randomBytes(MIB)
  for (const method of [0, 8]) {
    const zip = Buffer.from(buildZip([{ name: 'a', data: noise, method }])).fill(0xff, 700_000, 700_100)
    for (const bytes of [0, 1, 512, 65_536]) {
      const head = await withZip(zip, (opened) => opened.head(opened.find('a')!, bytes))
      expect([bytes, noise.subarray(0, bytes).equals(head)]).toEqual([bytes, true])
    }
  }
  const broken = Buffer.from(buildZip([{ name: 'a', data: noise, method: 8 }])).fill(0xff, 31, 200)
  await expect(withZip(broken, (zip) => zip.head(zip.find('a')!, 4096))).rejects.toThrow('The file is damaged')
})

import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { buildZip } from '../fixtures/zip-builder.ts'
import { MIB, withZip } from './archive-file.ts'

const noise = randomBytes(3 * MIB)
const ENTRIES = [
  { name: 'small', data: 'abcdef', method: 8 },
  { name: 'packed', data: noise.subarray(0, MIB), method: 8 },
  { name: 'long', data: noise, method: 8 },
  { name: 'stored', data: noise, method: 0 },
  { name: 'repeated', data: noise.subarray(0, 4096).toString('hex').repeat(400), method: 8 },
  { name: 'empty', data: '' },
]

test.each([0, 1, 6, 512, 65_536, 2 * MIB])('the first %p bytes of an entry are those of the whole', async (bytes) => {
  await withZip(buildZip(ENTRIES), async (zip) => {
    for (const { name, data } of ENTRIES) {
      const head = await zip.head(zip.find(name)!, bytes)
      expect(Buffer.from(head).equals(Buffer.from(data).subarray(0, bytes))).toBe(true)
    }
  })
})

test('damage after the head does not matter, damage in it is reported', async () => {
  const zipped = buildZip([{ name: 'a', data: noise.subarray(0, MIB), method: 8 }])
  const after = Buffer.from(zipped)
  after.fill(0xff, 700_000, 700_100)
  const within = Buffer.from(zipped)
  within.fill(0xff, 31, 200)
  const head = (bytes: Buffer) => withZip(bytes, (zip) => zip.head(zip.find('a')!, 4096))
  expect(Buffer.from(await head(after)).equals(noise.subarray(0, 4096))).toBe(true)
  expect(head(within)).rejects.toThrow('The file is damaged in the ZIP archive')
})
